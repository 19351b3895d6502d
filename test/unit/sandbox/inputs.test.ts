import { describe, expect, it } from 'vitest';
import { IoError } from '../../../src/errors.ts';
import { parseFault } from '../../../src/sandbox/faults.ts';
import { parseFixtures, readFixtures } from '../../../src/sandbox/fixtures.ts';

describe('a fault', () => {
  it.each([
    ['503', { kind: '503', share: 1 }],
    ['503:0.1', { kind: '503', share: 0.1 }],
    ['reset:5%', { kind: 'reset', share: 0.05 }],
    ['cut:.5', { kind: 'cut', share: 0.5 }],
    ['delay:0', { kind: 'delay', share: 0 }],
    ['429:100%', { kind: '429', share: 1 }],
  ])('%s is read', (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
  });

  it.each(['', '404', '503:', '503:2', '503:101%', '503:-1', '503:x', '503:0.1:0.2', '503:1e-1', ':1'])(
    '%s is not',
    (text) => {
      expect(parseFault(text)).toBeUndefined();
    },
  );
});

describe('fixtures', () => {
  const document = '{"wallet_address":"0xAB","total_collateral_usd":12345678901234567890.10,"2":1,"1":2}';

  it('are kept verbatim, by wallet in lower case', () => {
    expect(parseFixtures(`\n${document}\r\n\n`)).toEqual(new Map([['0xab', document]]));
  });

  it('use the later of two for one wallet', () => {
    const later = '{"wallet_address":"0xaB","defi_score":null}';
    expect(parseFixtures(`${document}\n${later}`).get('0xab')).toBe(later);
  });

  it('may be the output of a list: _meta and rows without an answer are dropped', () => {
    const meta = '"_meta":{"line":1,"input":{",\\"_meta\\":":"x"},"status":"scored"}';
    const written = [
      `${document.slice(0, -1)},${meta}}`,
      '{"wallet_address":"0xcd","_meta":{"line":2,"status":"failed"}}',
      '{"_meta":{"line":3,"status":"invalid"}}',
    ];
    expect(parseFixtures(written.join('\n'))).toEqual(new Map([['0xab', document]]));
  });

  it.each(['[]', 'null', '{"wallet_address":', '{"wallet_address":1}', '{"total_collateral_usd":1}', '{}', 'text'])(
    '%s is refused with the number of its line',
    (line) => {
      expect(() => parseFixtures(`${document}\n${line}\n`)).toThrow(/^line 2 of the fixtures/);
    },
  );

  it('that are missing or a folder are named', async () => {
    await expect(readFixtures('/nonexistent/answers.jsonl')).rejects.toThrow(IoError);
    await expect(readFixtures('/nonexistent/answers.jsonl')).rejects.toThrow(/answers\.jsonl.*no such file/);
    await expect(readFixtures('/')).rejects.toThrow(/it is a directory/);
  });
});
