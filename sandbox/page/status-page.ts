import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { respond } from '../wire/respond.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/** `GET /sandbox`: the sandbox for people. Everything is in this one answer; nothing is loaded from elsewhere. */
const steps: readonly (readonly [label: string, duration: string])[] = [
  ['30 minutes', 'PT30M'],
  ['6 hours', 'PT6H'],
  ['1 day', 'P1D'],
  ['3 days', 'P3D'],
  ['1 week', 'P7D'],
];

const tables: readonly (readonly [id: string, title: string, columns: readonly string[]])[] = [
  ['reviews', 'Open reviews', ['Review', 'Campaign', 'Status', 'Decide']],
  ['campaigns', 'Campaigns', ['Id', 'Name', 'Type', 'Targeting', 'Status', 'Start', 'End', 'Advertiser']],
  ['accounts', 'Accounts', ['Advertiser', 'Name', 'Role', 'Item ids', 'Consumer id']],
  ['requests', 'Last requests', ['No.', 'Method', 'Path', 'Status', 'Caller', 'Elements', 'Fault']],
];

export function answerStatusPage(response: ServerResponse): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  respond(response, {
    status: 200,
    body: pageOf(nonce),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}

function pageOf(nonce: string): string {
  const buttons = steps
    .map(
      ([label, duration]) =>
        `<button type="button" data-advance="${duration}" aria-label="Move the clock ahead by ${label}">+ ${label}</button>`,
    )
    .join('\n    ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox of the partner service</title>
<style nonce="${nonce}">${pageStyle}</style>
</head>
<body>
<main>
  <header><h1>Sandbox of the partner service</h1><p class="dim" id="facts"></p></header>
  <section class="clock" aria-label="Clock">
    <time id="now">&nbsp;</time>
    ${buttons}
  </section>
  <p id="notice" class="dim" role="status">A simulated service for practice and tests. Nothing here reaches a real shop.</p>
  ${tables.map(tableOf).join('\n  ')}
</main>
<script nonce="${nonce}">${pageScript}</script>
</body>
</html>
`;
}

function tableOf([id, title, columns]: (typeof tables)[number]): string {
  const heads = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  return `<section><h2 id="${id}-title">${title} <span id="${id}-count"></span></h2>
  <div class="scroll tall" tabindex="0" role="region" aria-labelledby="${id}-title"><table><thead><tr>${heads}</tr></thead><tbody id="${id}"></tbody></table></div></section>`;
}
