// The software bill of materials, in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). `npm sbom` knows the packages that an
// installation brings along, of which riskcli has none: what it holds is inside its bundles.
import { createHash } from 'node:crypto';

/**
 * @param manifest package.json of riskcli
 * @param bundled what the bundles hold (bundledPackages)
 * @param made the date of the build
 */
export function billOfMaterials({ manifest, bundled, made }) {
  const own = purlOf(manifest);
  const { packages, uses } = bundled;
  const purls = new Map(packages.map((one) => [one.folder, purlOf(one)]));
  const dependsOn = (folders) => folders.map((folder) => purls.get(folder));
  const content = {
    metadata: {
      timestamp: made.toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': own,
        authors: [{ name: manifest.author }],
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        purl: own,
        externalReferences: [
          { type: 'vcs', url: manifest.repository },
          { type: 'issue-tracker', url: `${manifest.repository}/issues` },
        ],
      },
    },
    components: packages.map(library),
    dependencies: [
      { ref: own, dependsOn: dependsOn(uses) },
      ...packages.map((one) => ({ ref: purlOf(one), dependsOn: dependsOn(one.uses) })),
    ],
    compositions: [{ aggregate: 'complete', assemblies: [own] }],
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
  };
  return { ...head, serialNumber: serialNumber(content), version: 1, ...content };
}

function library({ name, version, license, licenceText, integrity, carries }) {
  const [group, rest] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const purl = purlOf({ name, version });
  return {
    type: 'library',
    'bom-ref': purl,
    group,
    name: rest,
    version,
    hashes: integrity && [hashOf(integrity)],
    licenses: [licenceOf({ license, licenceText })],
    purl,
    externalReferences: [{ type: 'distribution', url: `https://registry.npmjs.org/${name}/-/${rest}-${version}.tgz` }],
    components: carries && [
      {
        type: 'library',
        'bom-ref': `${purl}#${carries.name}`,
        name: carries.name,
        licenses: [licenceOf(carries)],
        externalReferences: [{ type: 'website', url: carries.website }],
      },
    ],
  };
}

/** https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function licenceOf({ license, licenceText }) {
  return {
    license: { id: license, acknowledgement: 'declared', text: { contentType: 'text/plain', content: licenceText } },
  };
}

/** `sha512-` and base64 in a lockfile, hexadecimal digits here. It is the checksum of the package's tarball. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-', 2);
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
}

/** Made from the content, so that the same content has the same number: a UUID of version 8 (RFC 9562, section 5.8). */
function serialNumber(content) {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest();
  digest[6] = (digest[6] & 0x0f) | 0x80;
  digest[8] = (digest[8] & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return `urn:uuid:${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')}`;
}
