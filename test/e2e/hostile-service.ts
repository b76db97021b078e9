import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * An account whose campaigns are called like scripts, and about which the service and the drafts do not agree: one value was
 * changed on both sides, and of one campaign nobody knows whether it was made.
 */
const out = process.env['OUT'] ?? join(import.meta.dirname, '..', '..', 'out');
const SCRIPT = '<script>window.ran=1</script>';
const IMAGE = '<img src=x onerror=window.ran=1>';
const TITLE = 'Type,Campaign,Campaign type,Targeting,Start,Total budget,Daily budget,Item id,Bid';
const ITEM = '0799650557';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const rowsOf = (name: string, bid: string): readonly string[] => [
  `campaign,${quoted(name)},sponsoredProducts,auto,2030-05-01,100,50,,`,
  `ad item,${quoted(name)},,,,,,${ITEM},${bid}`,
];

/** @returns ends the service */
export async function disputedAccount(dataDir: string, folder: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [join(out, 'sandbox/cli.js'), '--scenario', 'empty'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = JSON.parse((await once(createInterface({ input: child.stdout }), 'line'))[0]);
  const [account] = ready.accounts;
  const place = (name: string): string => join(folder, name);
  writeFileSync(place('key.pem'), account.privateKeyPem);
  writeFileSync(place('token.txt'), account.token);
  const cli = (...words: readonly string[]): void => {
    const run = spawnSync(process.execPath, [join(out, 'main/cli.js'), ...words, '--data', dataDir], {
      encoding: 'utf8',
    });
    // 1 says that there are findings, 3 that something needs the user, which is what is wanted here.
    if (![0, 1, 3].includes(run.status ?? -1)) throw new Error(`${words[0]}: ${run.stdout}${run.stderr}`);
  };
  const importRows = (...rows: readonly string[]): void => {
    writeFileSync(place('rows.csv'), [TITLE, ...rows].join('\n'));
    cli('import', place('rows.csv'));
  };
  const order = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${ready.controlUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };

  const options = {
    name: IMAGE,
    'base-url': ready.baseUrl,
    advertiser: String(account.advertiserId),
    'consumer-id': account.consumerId,
    'key-version': account.keyVersion,
    'key-file': place('key.pem'),
    'token-file': place('token.txt'),
    'retail-host': ready.retailHost,
  };
  cli('account', 'add', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]));
  importRows(...rowsOf(IMAGE, '1.60'));
  cli('sync', '--yes');
  cli('export', place('sent.csv'));
  const item = readFileSync(place('sent.csv'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('ad item'));
  await order(`console/ad-items/${/(\d+),[^,]*\s*$/.exec(item ?? '')?.[1]}`, { bid: 3.5 });
  importRows(...rowsOf(IMAGE, '2.60'));
  cli('refresh');
  importRows(...rowsOf(SCRIPT, '1.70'));
  await order('faults', { kind: 'drop-after', match: { method: 'POST' } });
  cli('sync', '--yes');
  return () => ended(child);
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
