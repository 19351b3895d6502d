import { expect, it } from 'vitest';
import { A, B, C, read, wallets } from '../reading.ts';

it('prefers the exact name to one in another case', async () => {
  const list = `Wallet,wallet\n${A},${B}\n`;
  expect(await wallets(list, { column: 'wallet' })).toEqual('2 B');
  await expect(wallets(list, { column: 'WALLET' })).rejects.toMatchObject({
    message: "wallets.txt: several columns are called 'WALLET'",
    hint: 'choose one by its number: --column 1 or --column 2',
  });
});

it.each(['2nd', 'row2', ' ROW '])('takes --column for a name if it is not a number: %s', async (column) => {
  expect(await wallets(`id,${column.toLowerCase()}\n1,x\n`, { column })).toEqual('2 not_address');
});

it('takes --column for a name if a column is called by that number', async () => {
  expect(await wallets(`address,5\n${A},x\n`, { column: '5' })).toEqual('2 not_address');
});

it('does not match a number of --column with a cell of the first row', async () => {
  expect(await wallets(`2,${A}\n3,${B}\n`, { column: '2' })).toEqual('1 A, 2 B');
  await expect(wallets(`12,${A}\n`, { column: '12' })).rejects.toThrow('there is no column');
});

it('counts the cells of all first rows for a number of --column, also below a lone address', async () => {
  expect(await wallets(`${A}\n${B},${C}\n`, { column: '2' })).toEqual('1 empty, 2 C');
});

it('does not prefer an empty column named wallet to two columns with addresses', async () => {
  await expect(read(`from,to,wallet\n${A},${B},\n`)).rejects.toThrow("any of these columns: 'from', 'to'");
});

it('says that no column holds wallets, though two are named so', async () => {
  await expect(read('wallet,address\nx,y\n')).rejects.toThrow(
    "none of the columns contains addresses: 'wallet', 'address'",
  );
});

it('chooses a column named wallet when no column holds wallets', async () => {
  expect((await read('id,owner,note\n1,x,y\n')).head.walletColumn).toBe(1);
});

it.each([
  ['gives more addresses', `a,b;${A}\nc,d;${B}\ne,f\n`, ';'],
  ['gives more addresses', `a;b,${A}\nc;d,${B}\ne;f\n`, ','],
  ['gives more rows as long as the first', 'a,b;c\n1,2;3\n4,5;6\n7;8\n9;0\n', ';'],
  ['gives more rows as long as the first', 'a;b,c\n1;2,3\n4;5,6\n7,8\n9,0\n', ','],
  ['gives more columns', 'a;b,c;d\n1;2,3;4\n', ';'],
  ['gives more columns', 'a,b;c,d\n1,2;3,4\n', ','],
])('splits a table at the delimiter that %s: %j', async (_, text, delimiter) => {
  expect((await read(text, { column: '2' })).head.delimiter).toBe(delimiter);
});

it.each(['0x12ab', '0X12AB', 'ab'.repeat(20), 'a.eth', 'XE12'])(
  'takes no header above the first wallet with a cell like %s',
  async (cell) => {
    expect((await read(`id,${cell}\n1,${A}\n`)).head.columns).toEqual(['column_1', 'column_2']);
  },
);

it.each(['0x12', '0xwxyz', 'ab'.repeat(19), 'a.ethx', 'xeth', 'aXE12', 'XE1a', 'XEa1'])(
  'takes a header above the first wallet with a cell like %s',
  async (cell) => {
    expect((await read(`id,${cell}\n1,${A}\n`)).head.columns).toEqual(['id', cell]);
  },
);

it.each(['wallet', 'addr', 'Wallet-Addr', 'WalletAddress'])(
  'chooses the column called %s of two with wallets',
  async (name) => {
    expect(await wallets(`x,${name}\n${A},${B}\n`)).toEqual('2 B');
  },
);

it.each(['mywallet', 'wallets', 'owner'])('does not choose a column called %s of two with wallets', async (name) => {
  await expect(wallets(`x,${name}\n${A},${B}\n`)).rejects.toThrow(`'x', '${name}'`);
});

it('chooses neither of two columns with the same wallet on different lines', async () => {
  await expect(wallets(`from,to\n${A},\n,${A}\n`)).rejects.toThrow("'from', 'to'");
});

it('does not take a row for a header because of blanks after a name', async () => {
  const { head, records } = await read(`id, a.eth \n1,${A}\n`);
  expect([head.columns, records.length]).toEqual([['column_1', 'column_2'], 2]);
});

it('reads # as a comment, though a column is named n#', async () => {
  expect(await wallets(`n#,wallet\n1,${A}\n# 2,${B}\n`)).toEqual('2 A');
});
