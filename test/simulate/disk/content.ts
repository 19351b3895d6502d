/**
 * The bytes of a file, and which of them a power cut may take. What was written since the last sync
 * is there in memory only: at a power cut each sector of 512 bytes has any of the contents it had
 * since then, or NULs where the file had grown, and the size is any of those in between. (Pillai
 * and others, "All File Systems Are Not Created Equal", OSDI 2014: appends and overwrites are
 * neither atomic nor ordered on ext4, XFS and btrfs; a sector is written whole.)
 */

const SECTOR = 512;

/** The state at some moment: of what was overwritten since, what it was. */
interface Layer {
  size: number;
  readonly old: Map<number, Buffer>;
}

export interface Content {
  /** Room for more than the file has; NULs behind its end. */
  bytes: Buffer;
  size: number;
  /** The first is on the disk; the others are those that a sync under way is to bring there. */
  layers: Layer[];
  /** Sectors that a failed sync has given up, with what is on the disk in their place. */
  readonly lost: Map<number, Buffer>;
}

const layerOf = (size: number): Layer => ({ size, old: new Map() });
const EMPTY = Buffer.alloc(0);

export const emptyContent = (): Content => ({ bytes: EMPTY, size: 0, layers: [layerOf(0)], lost: new Map() });

export function readContent({ bytes, size }: Content, into: Uint8Array, offset: number): number {
  const end = Math.min(size, offset + into.length);
  if (end <= offset) return 0;
  into.set(bytes.subarray(offset, end));
  return end - offset;
}

export function writeContent(content: Content, from: Uint8Array, offset: number): void {
  const end = offset + from.length;
  saveOld(content, Math.min(offset, content.size), end);
  if (end > content.bytes.length) {
    const larger = Buffer.alloc(Math.max(end, 2 * content.bytes.length, 1024));
    larger.set(content.bytes.subarray(0, content.size));
    content.bytes = larger;
  }
  content.bytes.set(from, offset);
  content.size = Math.max(content.size, end);
}

export function truncateContent(content: Content, size: number): void {
  if (size > content.size) {
    writeContent(content, EMPTY, size);
    return;
  }
  saveOld(content, size, content.size);
  content.bytes.fill(0, size, content.size);
  content.size = size;
}

/** What was appended since the last layer is not kept: a file that only grows is never copied. */
function saveOld({ bytes, layers }: Content, from: number, to: number): void {
  const { size, old } = layers[layers.length - 1] as Layer;
  const end = Math.min(to, size);
  for (let sector = Math.floor(from / SECTOR); sector * SECTOR < end; sector++) {
    if (old.has(sector)) continue;
    const begin = sector * SECTOR;
    old.set(sector, Buffer.from(bytes.subarray(begin, Math.min(begin + SECTOR, size))));
  }
}

/** A sync that begins: it keeps what is there now, not what comes while it is under way. */
export function beginSync(content: Content): Layer {
  const top = content.layers[content.layers.length - 1] as Layer;
  if (top.size === content.size && top.old.size === 0) return top;
  const layer = layerOf(content.size);
  content.layers.push(layer);
  return layer;
}

export function endSync(content: Content, layer: Layer): void {
  const at = content.layers.indexOf(layer);
  if (at > 0) content.layers.splice(0, at);
}

/**
 * The system forgets what it could not write, and calls it clean: no later sync brings it to the
 * disk.
 */
export function failSync(content: Content, layer: Layer): void {
  const at = content.layers.indexOf(layer);
  for (const { size, old } of content.layers.slice(0, Math.max(at, 0)).reverse()) {
    for (const [sector, bytes] of old) content.lost.set(sector, bytes);
    for (let sector = Math.ceil(size / SECTOR); sector * SECTOR < layer.size; sector++) content.lost.set(sector, EMPTY);
  }
  endSync(content, layer);
}

/** What a power cut leaves. */
export function tearContent(content: Content, random: () => number): void {
  const { bytes, layers, lost } = content;
  const written = drawShare(random);
  const isWritten = () => random() < written;
  const durable = layers[0] as Layer;
  const size = drawSize(content, { isWritten, random });
  for (const layer of [...layers].reverse()) {
    for (const [sector, old] of layer.old) {
      const wasCut = (sector + 1) * SECTOR > content.size;
      if (wasCut ? size > content.size : !isWritten()) bytes.set(old, sector * SECTOR);
    }
  }
  for (let at = durable.size; at < Math.min(size, content.size); at = nextSector(at)) {
    if (!isWritten()) bytes.fill(0, at, Math.min(nextSector(at), bytes.length));
  }
  for (const [sector, old] of lost) {
    if (isWritten()) continue;
    bytes.fill(0, sector * SECTOR, Math.min((sector + 1) * SECTOR, bytes.length));
    bytes.set(old, sector * SECTOR);
  }
  bytes.fill(0, size);
  lost.clear();
  content.size = size;
  content.layers = [layerOf(size)];
}

const nextSector = (at: number) => (Math.floor(at / SECTOR) + 1) * SECTOR;

/** Which part of the sectors got to the disk: often none or all of them. */
function drawShare(random: () => number): number {
  const draw = random();
  return draw < 0.15 ? 0 : draw < 0.35 ? 1 : draw < 0.7 ? 0.9 : 0.5;
}

interface Drawing {
  readonly isWritten: () => boolean;
  readonly random: () => number;
}

/**
 * The size is written with the journal of the file system: that of some moment, or at the border of
 * a sector in between.
 */
function drawSize({ size, layers }: Content, { isWritten, random }: Drawing): number {
  const durable = (layers[0] as Layer).size;
  if (!isWritten()) return durable;
  if (size <= durable || random() < 0.5) return size;
  const sectors = Math.floor((size - durable) / SECTOR);
  return Math.max(durable, (Math.floor(durable / SECTOR) + Math.floor(random() * (sectors + 1))) * SECTOR);
}
