import { describe, expect, test } from 'vitest';
import { externalLink } from '../../main/hosts/electron/page-url.ts';

/** Sixty addresses that a page could be made to open: which may be offered to the system's browser, and how they are shown. */
const REFUSED: readonly string[] = [
  // Schemes that start a program, read a file or run a text.
  'http://example.org/',
  'ftp://example.org/',
  'ws://example.org/',
  'wss://example.org/',
  'file:///etc/passwd',
  'file://server/share/run.exe',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>1</script>',
  'blob:https://example.org/6f1c',
  'about:blank',
  'view-source:https://example.org/',
  'chrome://settings/',
  'devtools://devtools/x.html',
  'adslate://open/acme/campaign/1',
  'adslate-app://ui/',
  'ms-msdt:/id PCWDiagnostic',
  'search-ms:query=x&crumb=location:\\\\evil.test',
  'ms-appinstaller:?source=https://evil.test/a.msix',
  'ms-officecmd:{}',
  'ms-word:ofe|u|https://evil.test/a.docx',
  'ms-settings:privacy',
  'shell:startup',
  'smb://server/share',
  'ssh://example.org',
  'ldap://example.org/',
  'mailto:a@example.org',
  'tel:+15550100',
  'intent://scan/#Intent;end',
  'itms-services://?action=download',
  'vscode://file/etc/passwd',
  'jar:https://example.org/a.jar!/x',
  // Somebody else's name in front of the host.
  'https://user@example.org/',
  'https://user:secret@example.org/',
  'https://example.org@evil.test/',
  'https://:secret@example.org/',
  // No address at all.
  '',
  ' ',
  'example.org',
  '//example.org/',
  '/path',
  'https://',
  'https://exa mple.org/',
  'https://example.org:99999/',
  'https://[::1/',
  'https://%00/',
  'https://exa%3Cmple.org/',
  `https://example.org/${'a'.repeat(5000)}`,
];

/** What was asked for, and the host and address that are shown and opened. */
const OFFERED: readonly (readonly [asked: string, host: string, url: string])[] = [
  ['https://example.org', 'example.org', 'https://example.org/'],
  ['https://EXAMPLE.org:443/a b', 'example.org', 'https://example.org/a%20b'],
  ['HTTPS:example.org', 'example.org', 'https://example.org/'],
  ['https:\\\\example.org\\a', 'example.org', 'https://example.org/a'],
  ['https://example.org\\@evil.test/', 'example.org', 'https://example.org/@evil.test/'],
  ['https://exa\nmple\t.org/', 'example.org', 'https://example.org/'],
  ['https://example.org:8443/', 'example.org:8443', 'https://example.org:8443/'],
  ['https://аррӏе.com/', 'xn--80ak6aa92e.com', 'https://xn--80ak6aa92e.com/'],
  ['https://2130706433/', '127.0.0.1', 'https://127.0.0.1/'],
  ['https://example.org/?next=https://evil.test', 'example.org', 'https://example.org/?next=https://evil.test'],
];

test('there are sixty of them', () => {
  expect(new Set([...REFUSED, ...OFFERED.map(([asked]) => asked)]).size).toBe(60);
});

test.each(REFUSED)('%j never leaves for the browser', (address) => {
  expect(externalLink(address)).toBeNull();
});

describe('what may be offered is shown as it is opened', () => {
  test.each(OFFERED)('%j leads to %s', (asked, host, url) => {
    expect(externalLink(asked)).toEqual({ url, host });
  });
});
