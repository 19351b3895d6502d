import { expect, it } from 'vitest';
import { baseUrlText, parseBaseUrl } from '../../../src/settings/base-url.ts';

const read = (text: string) => baseUrlText(parseBaseUrl(text, '--base-url'));

it.each([
  ['https://api.example.com', 'https://api.example.com'],
  [' https://API.example.com/ ', 'https://api.example.com'],
  ['https://api.example.com:8443/risk/', 'https://api.example.com:8443/risk'],
  ['https://api.example.com/a/../b/', 'https://api.example.com/b'],
  ['http://2130706433', 'http://127.0.0.1'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://127.9.9.9', 'http://127.9.9.9'],
  ['http://127.1', 'http://127.0.0.1'],
  ['http://localhost:1', 'http://localhost:1'],
  ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
])('reads the base URL %j', (text, url) => expect(read(text)).toBe(url));

it('drops a trailing slash of a base URL', () => {
  expect(parseBaseUrl('https://api.example.com/risk/').pathname).toBe('/risk');
});

it.each([
  ...['http://api.example.com', 'http://10.0.0.1', 'http://127.0.0.1.example.com', 'http://localhost.example.com'],
  ...['http://0.0.0.0', 'http://[::]', 'http://[::ffff:127.0.0.1]', 'http://localhost.', 'http://x.localhost'],
])('refuses plain http beyond this machine in a base URL: %s', (text) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('plain http'),
      hint: 'use https (http is only for this machine)',
    }),
  );
});

it.each([
  ...['api.example.com', 'ftp://x', 'x:https://api.example.com', 'https:x', 'https:///', 'https:///api.example.com'],
  ...['file:///etc/passwd', 'https://a b', 'https:\\\\x', ''],
])('refuses the base URL %j', (text) => {
  const hint = 'write it like https://api.example.com';
  const message = expect.stringContaining('is not an http or https URL');
  expect(() => read(text)).toThrow(expect.objectContaining({ message, hint }));
});

it.each([
  ...['https://api.example.com//b.example.com', 'https://api.example.com/.//b.example.com'],
  ...['https://api.example.com/a/..//b.example.com', 'https://api.example.com//..', 'https://api.example.com/a//'],
])('refuses a base URL whose path has an empty segment: %s', (text) => {
  expect(() => read(text)).toThrow(/empty segment/);
});

it.each([
  ...['https://canary@api.example.com', 'https://user:canary@api.example.com', 'http://user:canary@api.example.com'],
  ...['https://api.example.com?api-key=canary', 'https://api.example.com/#canary'],
  ...['https://us er:canary@api.example.com'],
])('never repeats a possible key in a base URL: %s', (text) => {
  const message = expect.stringMatching(/^(?!.*canary)--base-url (has a query|contains a user name)/);
  const hint = 'write it like https://api.example.com';
  expect(() => read(text)).toThrow(expect.objectContaining({ message, hint }));
});
