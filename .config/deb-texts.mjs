// What the package for Debian says of itself: control, copyright and changelog. All of it is made from package.json, README.md,
// LICENSE, CHANGELOG.md and the bill of materials.

/** How long lines are in such files, by custom. */
const COLUMNS = 79;

/** A pre-release comes before its release: https://www.debian.org/doc/debian-policy/ch-controlfields.html#version */
export const debianVersion = (version) => version.replace('-', '~');

/** The address of the project stands for its mail as well, so that one line of package.json changes both. */
const maintainer = ({ author, homepage }) => `${author} <riskcli@${new URL(homepage).hostname}>`;

const homepageOf = ({ homepage }) => homepage.replace(/#.*/, '');

/** @param size of what is installed, in units of 1024 bytes */
export function controlText({ manifest, readme, size }) {
  const [, introduction] = /^# .*\n\n((?:.+\n)+)/.exec(readme);
  const fields = {
    Package: manifest.name,
    Version: debianVersion(manifest.version),
    Architecture: 'all',
    Maintainer: maintainer(manifest),
    'Installed-Size': size,
    Depends: `nodejs (${manifest.engines.node.replace('>=', '>= ')})`,
    Recommends: 'ca-certificates',
    Section: 'net',
    Priority: 'optional',
    Homepage: homepageOf(manifest),
    Description: [manifest.description, ...wrapped(introduction, ' ')].join('\n'),
  };
  return paragraph(fields);
}

/**
 * https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
 * A bundle holds parts of many packages, so one paragraph names all who have a right in them. Each package's own text stands
 * below its licence.
 * @param bill the bill of materials
 * @param bundles where the bundles are installed
 */
export function copyrightText({ manifest, licence, bill, bundles }) {
  const own = { title: manifest.name, id: manifest.license, text: licence.trim() };
  const bundled = bill.components.flatMap((one) => [one, ...(one.components ?? [])]).map(licenceOf);
  const all = [own, ...bundled];
  const ids = [...new Set(all.map(({ id }) => id))];
  const paragraphs = [
    {
      Format: 'https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
      'Upstream-Name': manifest.name,
      'Upstream-Contact': maintainer(manifest),
      Source: homepageOf(manifest),
    },
    { Files: '*', Copyright: holdersIn([own]), License: shortName(own.id) },
    {
      Files: bundles,
      Copyright: holdersIn(all),
      License: ids.map(shortName).join(' and '),
      Comment: ['', ...wrapped(`With parts of ${bundled.map(({ title }) => title).join(', ')}.`, ' ')].join('\n'),
    },
    ...ids.map((id) => ({ License: [shortName(id), ...textsOf(all.filter((one) => one.id === id))].join('\n') })),
  ];
  return paragraphs.map(paragraph).join('\n');
}

function licenceOf({ group, name, version, licenses: [{ license }] }) {
  const title = [[group, name].filter(Boolean).join('/'), version].filter(Boolean).join(' ');
  return { title, id: license.id, text: license.text.content };
}

/** What SPDX calls MIT is Expat in Debian: there are several licences of MIT. */
const shortName = (id) => (id === 'MIT' ? 'Expat' : id);

function holdersIn(licences) {
  const lines = licences.flatMap(({ text }) => text.match(/(?<=^[ \t*-]*Copyright )\S.*$/gm) ?? []);
  const holders = lines.map((line) => line.replace(/^(\(c\)|©) */i, '').replace(/\.$/, ''));
  return [...new Set(holders)].join('\n ');
}

/** Lines of a field: none is blank, none touches the margin. */
function textsOf(licences) {
  const lines = licences.flatMap(({ title, text }) => ['', `${title}:`, '', ...text.split('\n')]);
  return lines.slice(1).map((line) => (line.trim() === '' ? ' .' : ` ${line.trimEnd()}`));
}

/**
 * https://www.debian.org/doc/debian-policy/ch-source.html#debian-changelog-debian-changelog
 * @param text CHANGELOG.md: `## 1.2.0 - 2026-12-01` or `## Unreleased`, below it `### Added` and a list
 * @param epoch seconds since 1970, the date of what is not released
 */
export function changelogText(text, { manifest, epoch }) {
  const [, ...releases] = text.split(/^## /m);
  const entries = releases.map((release) => {
    const [heading, ...lines] = release.trim().split('\n');
    const [, version = manifest.version, date] = /^\[?(\d\S*?)\]?(?: - (\S+))?$/.exec(heading) ?? [];
    const made = date ? new Date(date) : new Date(epoch * 1000);
    const title = `${manifest.name} (${debianVersion(version)}) unstable; urgency=medium`;
    return `${title}\n\n${changesIn(lines.join('\n'))}\n\n -- ${maintainer(manifest)}  ${mailDate(made)}\n`;
  });
  return entries.join('\n');
}

function changesIn(text) {
  const parts = text.split(/^(?=### |- )/m).filter((part) => part.trim() !== '');
  const lines = parts.flatMap((part) =>
    part.startsWith('### ') ? ['', `  [ ${part.slice(4).trim()} ]`] : item(part.slice(2)),
  );
  return lines.join('\n').replace(/^\n/, '');
}

function item(text) {
  const [first, ...more] = wrapped(text, '    ');
  return [first.replace('    ', '  * '), ...more];
}

/** RFC 5322, section 3.3. */
const mailDate = (date) => date.toUTCString().replace('GMT', '+0000');

function wrapped(text, indent) {
  const lines = [];
  let line = indent;
  for (const word of text.trim().split(/\s+/)) {
    const isFull = line.length + word.length > COLUMNS;
    if (isFull) lines.push(line.trimEnd());
    line = `${isFull ? indent : line}${word} `;
  }
  return [...lines, line.trimEnd()];
}

function paragraph(fields) {
  return Object.entries(fields)
    .map(([name, value]) => `${name}:${/^\n/.test(value) ? '' : ' '}${value}\n`)
    .join('');
}
