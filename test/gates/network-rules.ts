import { type CodeRule, importOf } from './code-rule.ts';

/** How the code may reach the network: through the client that signs, checks and repeats nothing. */
export const NETWORK_RULES: readonly CodeRule[] = [
  {
    name: 'requests-go-through-the-client',
    why: 'Signing, limits and the table of outcomes sit in main/api.',
    find: {
      any: [
        { pattern: 'fetch($$$A)' },
        { pattern: 'globalThis.fetch($$$A)' },
        importOf('ky|undici|axios|node-fetch'),
        { pattern: 'httpRequest($$$A)' },
        { pattern: 'httpsRequest($$$A)' },
        importOf('https|http|net|tls|dgram|http2|node:https|node:tls|node:dgram|node:http2'),
      ],
    },
    only: ['main/', 'shared/', 'preload/'],
    // Uploads, reports and pictures go to addresses that are checked first, by requests that follow nothing.
    but: ['main/api/', 'main/practice/', 'main/reports/', 'main/media/upload/', 'main/pictures/'],
    planted: [
      'await globalThis.fetch(url);',
      "import { request } from 'node:https';",
      "await fetch('https://example.org');",
      "import ky from 'ky';",
    ],
  },
  {
    name: 'the-page-speaks-to-its-host-only',
    why: 'The window asks main through the contract.',
    find: {
      any: [
        { pattern: '$X.fetch($$$A)' },
        { pattern: 'fetch($$$A)' },
        { pattern: 'new WebSocket($$$A)' },
        { pattern: 'new EventSource($$$A)' },
        { pattern: 'navigator.sendBeacon($$$A)' },
        { pattern: 'new XMLHttpRequest()' },
      ],
    },
    only: ['renderer/'],
    but: ['renderer/transport/'],
    planted: ["page.fetch('/x');", "new WebSocket('ws://x');"],
  },
  {
    name: 'redirects-are-not-followed',
    why: 'A redirect would carry the signature to another host.',
    find: { pattern: { context: "({ redirect: 'follow' })", selector: 'pair' } },
    planted: ["fetch(url, { redirect: 'follow' });"],
  },
  {
    name: 'writes-are-not-repeated-by-the-client',
    why: 'A write is sent again only after a proof that it did not arrive.',
    find: { kind: 'pair', regex: '^retry: *([1-9]|\\{)' },
    only: ['main/'],
    planted: ['ky.create({ retry: 2 });', "ky.create({ retry: { limit: 2, methods: ['put'] } });"],
  },
  {
    name: 'certificates-are-checked',
    why: 'There is no "continue anyway".',
    find: {
      any: [
        { kind: 'property_identifier', regex: '^(rejectUnauthorized|checkServerIdentity|setCertificateVerifyProc)$' },
        { kind: 'property_identifier', regex: '^NODE_TLS_REJECT_UNAUTHORIZED$' },
        { kind: 'string_fragment', regex: '^NODE_TLS_REJECT_UNAUTHORIZED$' },
      ],
    },
    planted: [
      "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';",
      'https.request({ rejectUnauthorized: false });',
      "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';",
    ],
  },
  {
    name: 'answers-are-read-without-loss',
    why: 'An id of 16 digits and more does not survive JSON.parse; main/api/json.ts reads it as text.',
    find: { pattern: 'JSON.parse($$$A)' },
    only: ['main/api/'],
    // The second reads single texts out of their quotes, and no numbers.
    but: ['main/api/json.ts', 'main/api/without-secrets.ts'],
    planted: ['const body = JSON.parse(text);'],
  },
];
