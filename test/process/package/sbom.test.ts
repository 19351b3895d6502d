/** The bill of materials must be valid, and say of the bundles what is true: no package more, none less. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const text = textOf('dist/sbom.cdx.json');

interface Component {
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly {
    readonly license: { readonly id: string; readonly text: { readonly content: string } };
  }[];
  readonly components?: readonly Component[];
}
const { components, dependencies } = JSON.parse(text) as {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
const nameOf = ({ group, name }: Component) => (group ? `${group}/${name}` : name);
const listed = components.map(nameOf).sort();

interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly inputs: Record<string, { readonly bytesInOutput: number }> }>>;
}
const meta = JSON.parse(textOf('dist/meta.json')) as Metafile & { readonly parts: readonly Metafile[] };
const metafiles = [meta, ...meta.parts];
const OURSELVES = '';
const packageOf = (path: string) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? OURSELVES;
const bundles = readdirSync(join(ROOT, 'dist')).filter((name) => name.endsWith('.js'));
const namesIn = (path: string) => textOf(path).match(/[A-Za-z_$][\w$]{5,}/g) ?? [];

/** The names that stand in the sources which esbuild read, by the package of the source. */
function namesByPackage(): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  for (const path of metafiles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .filter((input) => existsSync(join(ROOT, input)))) {
    const names = named.get(packageOf(path)) ?? new Set();
    named.set(packageOf(path), names);
    for (const name of namesIn(path)) names.add(name);
  }
  return named;
}

describe('the bill of materials', () => {
  it("is valid by CycloneDX's schema 1.6, including licence identifiers", async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"id": "ISC"', '"id": "ISCC"'))).not.toBeNull();
  });

  it('names the packages that are in the bundles, and no other', () => {
    const written = metafiles
      .flatMap(({ outputs }) => Object.values(outputs))
      .flatMap((output) =>
        Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
          bytesInOutput > 0 ? packageOf(path) : [],
        ),
      );
    expect(listed).toEqual([...new Set(written.filter((name) => name !== OURSELVES))].sort());
    expect(listed).toContain('undici');
    expect(listed).not.toContain('esbuild');
  });

  it('matches the bundles: names unique to a package occur in them if and only if it is listed', () => {
    const named = namesByPackage();
    const holders = new Map<string, number>();
    for (const name of [...named.values()].flatMap((names) => [...names]))
      holders.set(name, (holders.get(name) ?? 0) + 1);
    const bundled = new Set(bundles.flatMap((name) => namesIn(`dist/${name}`)));
    const isShown = (one: string) => [...named.get(one)!].some((name) => holders.get(name) === 1 && bundled.has(name));
    // These two are one function and one pattern without a name.
    expect(listed.filter((one) => !isShown(one))).toEqual(['emoji-regex', 'fast-deep-equal']);
    const others = [...named.keys()].filter((one) => one !== OURSELVES && !listed.includes(one));
    expect(others).toContain('d3-time');
    expect(others.filter(isShown)).toEqual([]);
  });

  it('has the licence text of each package, as the file of licences has', () => {
    const all = [...components, ...components.flatMap(({ components: inside = [] }) => inside)];
    const entries = textOf('dist/THIRD-PARTY-LICENSES.txt').split(`\n${'-'.repeat(80)}\n\n`);
    const expected = all.map((one) => {
      const [{ license }] = one.licenses as [Component['licenses'][0]];
      return `${[nameOf(one), one.version].filter(Boolean).join(' ')} (${license.id})\n\n${license.text.content}\n`;
    });
    expect(entries.toSorted()).toEqual(expected.toSorted());
    for (const entry of entries) expect(entry).toMatch(/Copyright|\(c\)/i);
  });

  it('has the checksum of each tarball from the lockfile', () => {
    const { packages } = JSON.parse(textOf('package-lock.json'));
    const sums = components.map((one) => {
      const [, digest] = packages[`node_modules/${nameOf(one)}`].integrity.split('sha512-');
      return [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
    });
    expect(components.map(({ hashes }) => hashes)).toEqual(sums);
  });

  it('names what riskcli itself uses, and docs/packages.md says what for', () => {
    const [own] = dependencies;
    const direct = components.filter((one) => own?.dependsOn.includes(one['bom-ref'])).map(nameOf);
    const [, table = ''] =
      /\| package \| what it is for \|\n\|.*\n([\s\S]*?)\n$/.exec(textOf('docs/packages.md')) ?? [];
    const explained = table.split('\n').flatMap((row) => row.split('|')[1]?.trim().split(', ') ?? []);
    expect(explained.filter((name) => name !== 'ajv').toSorted()).toEqual(direct.toSorted());
  });
});
