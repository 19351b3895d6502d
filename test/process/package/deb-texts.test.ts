/** What the package for Debian says of itself, as far as a package made today does not show it: releases and their order. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { changelogText, debianVersion } from '../../../.config/deb-texts.mjs';
import { installed } from '../../fixtures/process/installed.ts';

const manifest = { name: 'riskcli', version: '1.2.0', author: 'Ann', homepage: 'https://example.com/riskcli#readme' };

describe('the changelog of the package for Debian', () => {
  it('has an entry a release, with its own version and date', () => {
    const text = `# Changelog

Words about it.

## Unreleased

### Added

- One thing that takes so many words to tell that they need a second line, since a line holds no more than
  79 characters.
- Another.

## 1.1.0 - 2026-03-01

### Fixed

- A bug.

## 1.1.0-rc.1 - 2026-02-27

- The first.
`;
    expect(changelogText(text, { manifest, epoch: 1_800_000_000 })).toBe(`riskcli (1.2.0) unstable; urgency=medium

  [ Added ]
  * One thing that takes so many words to tell that they need a second line,
    since a line holds no more than 79 characters.
  * Another.

 -- Ann <riskcli@example.com>  Fri, 15 Jan 2027 08:00:00 +0000

riskcli (1.1.0) unstable; urgency=medium

  [ Fixed ]
  * A bug.

 -- Ann <riskcli@example.com>  Sun, 01 Mar 2026 00:00:00 +0000

riskcli (1.1.0~rc.1) unstable; urgency=medium

  * The first.

 -- Ann <riskcli@example.com>  Fri, 27 Feb 2026 00:00:00 +0000
`);
  });

  it.skipIf(!installed('dpkg'))('puts a pre-release before its release, as dpkg compares them', () => {
    const script = 'dpkg --compare-versions "$0" lt "$1" && dpkg --compare-versions "$1" lt "$2"';
    const versions = ['1.1.0-rc.1', '1.1.0', '1.1.1-rc.1'].map(debianVersion);
    expect(spawnSync('sh', ['-c', script, ...versions]).status).toBe(0);
  });
});
