import { describe, expect, test } from 'vitest';
import { checkForUpdate } from '../../main/app/app-info.ts';

/** What is made of an announcement of a release; there is no place yet that makes any. */
const told = (announced: unknown) => checkForUpdate('1.10.2', { read: async () => announced });
const url = 'https://adslate.example/releases';

test('without a place that announces releases nothing is asked', async () => {
  expect(await checkForUpdate('1.10.2', null)).toEqual({ state: 'not-announced' });
});

test.each(['1.10.3', '1.11.0', '2.0.0', '1.100.0'])('%s is newer than 1.10.2', async (version) => {
  expect(await told({ version, url, more: 'is not read' })).toEqual({ state: 'newer', version, url });
});

test.each(['1.10.2', '1.10.1', '1.9.9', '0.99.99'])(
  '%s is not, so that nobody is led back to a hole',
  async (version) => {
    expect(await told({ version, url })).toEqual({ state: 'newest' });
  },
);

describe('an announcement that is none', () => {
  test.each([
    null,
    'text',
    {},
    { version: '2.0.0' },
    { version: '2.0', url },
    { version: '2.0.0-beta', url },
    { version: '<b>2.0.0', url },
    { version: '2.0.0', url: 'http://adslate.example/' },
    { version: '2.0.0', url: 'javascript:alert(1)' },
    { version: '2.0.0', url: `https://adslate.example/${'a'.repeat(600)}` },
  ])('%j', async (announced) => expect(await told(announced)).toEqual({ state: 'unknown' }));
});
