import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalClickUrl, splitUrl } from '../../shared/model/click-url.ts';
import { runs } from '../share.ts';

const site = 'https://www.retailer.example';
const canonical = (text: string) => canonicalClickUrl(text).url;

test('colons are encoded after the scheme only, plus signs and broken bars as the document says', () => {
  expect(canonical(`${site}/browse/a:b?c=d+e¦f`)).toBe(`${site}/browse/a%3Ab?c=d%20e%7C%7Cf`);
  expect(canonicalClickUrl(`${site}/a:b:c+d`).rewrites).toEqual([
    { from: ':', to: '%3A', times: 2 },
    { from: '+', to: '%20', times: 1 },
  ]);
});

test('a pair of pipes and a broken bar mean the same; a single pipe stays single', () => {
  expect(canonical(`${site}/s?f=a||b`)).toBe(`${site}/s?f=a%7C%7Cb`);
  expect(canonical(`${site}/s?f=a%C2%A6b`)).toBe(`${site}/s?f=a%7C%7Cb`);
  expect(canonical(`${site}/s?f=a|b`)).toBe(`${site}/s?f=a%7Cb`);
});

test('what is encoded already is never encoded again', () => {
  expect(canonicalClickUrl(`${site}/a%3Ab%20c%7C%7Cd`)).toEqual({ url: `${site}/a%3Ab%20c%7C%7Cd`, rewrites: [] });
});

test('a typeahead parameter is dropped wherever it stands, whatever its case', () => {
  expect(canonical(`${site}/s?typeahead=x&q=1`)).toBe(`${site}/s?q=1`);
  expect(canonical(`${site}/s?q=1&TypeAhead=x#top`)).toBe(`${site}/s?q=1#top`);
  expect(canonical(`${site}/s?typeahead=x`)).toBe(`${site}/s`);
  expect(canonical(`${site}/s?mytypeahead=x`)).toBe(`${site}/s?mytypeahead=x`);
});

test('a question mark behind the hash begins no query', () => {
  expect(canonicalClickUrl(`${site}/s#?typeahead=x`)).toEqual({ url: `${site}/s#?typeahead=x`, rewrites: [] });
  expect(canonical(`${site}/s?typeahead=x#?typeahead=y`)).toBe(`${site}/s#?typeahead=y`);
});

test('host, port and user name are told apart, also where they try to look alike', () => {
  expect(splitUrl('https://www.retailer.example@evil.example:8443/x')).toMatchObject({
    userInfo: 'www.retailer.example',
    host: 'evil.example',
    port: '8443',
  });
  expect(splitUrl('https:/one-slash')).toBe(null);
  expect(splitUrl('javascript:alert(1)')).toBe(null);
});

test('the canonical form of a canonical address is itself, and keeps scheme and host', () => {
  const rest = fc.string({ unit: 'grapheme' }).map((text) => `${site}/${text}`);
  const tricky = fc
    .array(
      fc.constantFrom(':', '+', '¦', '|', '||', '%', '%3A', '%7C', ' ', '?', '&', 'typeahead=', '#', 'é', '%é', '"'),
    )
    .map((parts) => `${site}/${parts.join('')}`);
  fc.assert(
    fc.property(fc.oneof(rest, tricky), (text) => {
      const once = canonicalClickUrl(text);
      expect(canonicalClickUrl(once.url)).toEqual({ url: once.url, rewrites: [] });
      expect(splitUrl(once.url)?.host).toBe('www.retailer.example');
      expect(once.url.slice(8)).not.toMatch(/[:+¦|\s]/);
    }),
    { numRuns: runs(2000) },
  );
});
