import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REDACTED, redactSecrets } from '../../main/api/response-record.ts';

/** What is kept of an answer: all of it, letter by letter, but what would be of use to a thief. */
const kept = (value: unknown, secrets: readonly string[] = []): unknown =>
  JSON.parse(redactSecrets(JSON.stringify(value), secrets));

test('an answer without secrets stays as it is, letter by letter', () => {
  const text = '[ {"code":"success", "details":"",\n "campaignId": 904100200301, "name":"A \\"b\\" \\u00e9 \\/ c"} ]';
  expect(redactSecrets(text, ['another-token'])).toBe(text);
  const click = { clickUrl: 'https://shop.example/browse?q=paper+towels&sort=new' };
  expect(kept(click)).toEqual(click);
});

test('what was sent along is nowhere in it, however the answer writes it', () => {
  const token = 'a/token+with"signs';
  const said = { error: `no rights for ${token}`, link: `see ${encodeURIComponent(token)}` };
  const escaped = JSON.stringify(said).replaceAll('/', '\\/');
  for (const text of [JSON.stringify(said), escaped, `<p>${token}</p>`]) {
    const left = redactSecrets(text, [token]);
    expect(left).toContain(REDACTED);
    for (const part of ['token+with', 'token%2Bwith']) expect(left).not.toContain(part);
  }
});

test('of an upload or a report the host stays, of another address all but its query and its credentials', () => {
  expect(
    kept({
      uploadUrl: 'https://files.example:8443/bucket/key?se=1&sig=abc',
      captionUrl: 'https://files.example/other',
      details: 'https://reports.example/r/secret-path.csv',
      logoUrl: 'https://img.example/logo.png?sig=abc#x',
      thumbnails: ['http://me:pass@img.example/1.png'],
      message: 'see https://help.example/a?b=c for more',
    }),
  ).toEqual({
    uploadUrl: 'https://files.example:8443/[removed]',
    captionUrl: 'https://files.example/[removed]',
    details: 'https://reports.example/[removed]',
    logoUrl: 'https://img.example/logo.png?[removed]',
    thumbnails: ['http://img.example/1.png'],
    message: 'see https://help.example/a?[removed] for more',
  });
});

test('an address is found however its slashes are written', () => {
  for (const slashes of ['//', '\\/\\/', '\\u002f\\u002F', '/\\/']) {
    const said = `{"logoUrl":"https:${slashes}img.example/l.png?sig=abc"}`;
    expect(JSON.parse(redactSecrets(said, []))).toEqual({ logoUrl: 'https://img.example/l.png?[removed]' });
  }
});

test('members named like a secret are emptied, a page token is not', () => {
  const said = { access_token: 'x', clientSecret: 'y', 'X-Signature': 'z', privateKey: 'k', nextToken: 'page-2' };
  expect(kept(said)).toEqual({
    access_token: REDACTED,
    clientSecret: REDACTED,
    'X-Signature': REDACTED,
    privateKey: REDACTED,
    nextToken: 'page-2',
  });
  const pem = 'oops -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- end';
  expect(redactSecrets(pem, [])).toBe(`oops ${REDACTED} end`);
});

test('for any answer: it stays JSON of the same members, and no planted secret is left', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9+/=._-]{16,40}$/);
  const answer = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(secret, answer, fc.string(), (token, value, around) => {
      const said = { value, echo: `${around}${token}${around}`, uploadUrl: `https://up.example/${token}?sig=${token}` };
      const left = redactSecrets(JSON.stringify(said), [token]);
      const read = JSON.parse(left) as Record<string, unknown>;
      return !left.includes(token) && Object.keys(read).join() === 'value,echo,uploadUrl';
    }),
  );
});

test('any text at all is taken, and one that is broken off costs no more than its length', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof redactSecrets(`{${text}`, ['a-secret-text']) === 'string'));
  const hostile = `{"a":"${'\\"'.repeat(500_000)}`;
  expect(redactSecrets(hostile, [])).toBe(hostile);
});
