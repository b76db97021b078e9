import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { adslate, OUT } from './host-process.ts';

const TITLE = 'Type,Campaign,Campaign type,Targeting,Start,Total budget,Daily budget,Item id,Bid';

export type OwnService = Awaited<ReturnType<typeof anOwnService>>;

/** A campaign with one item, as lines of a sheet. */
export const rowsOf = (name: string, bid: string): readonly string[] => [
  `campaign,${quoted(name)},sponsoredProducts,auto,2030-05-01,100,50,,`,
  `ad item,${quoted(name)},,,,,,0799650557,${bid}`,
];
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * A service of its own that can be told to fail, and an account of a data folder that is connected to it.
 *
 * @param scenario what the service begins with: nothing, a shop whose campaigns have run for months, or the sample with all extensions
 * @param options more of the sandbox's command line, such as its hourly limit
 */
export async function anOwnService(
  dataDir: string,
  folder: string,
  name: string,
  scenario: 'empty' | 'demo' | 'sample' = 'empty',
  options: readonly string[] = [],
) {
  const child = spawn(
    process.execPath,
    [
      join(OUT, 'sandbox/cli.js'),
      '--scenario',
      scenario,
      '--extensions',
      scenario === 'sample' ? 'on' : 'off',
      ...options,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ready = JSON.parse((await once(createInterface({ input: child.stdout }), 'line'))[0]);
  const [account] = ready.accounts;
  /** A file in the folder of the spec. */
  const place = (file: string): string => join(folder, file);
  writeFileSync(place('key.pem'), account.privateKeyPem);
  writeFileSync(place('token.txt'), account.token);
  /** One verb of the command line on the data folder. No window may have it open. */
  const cli = (...words: readonly string[]): void => adslate(dataDir, ...words);
  const connection = {
    name,
    'base-url': ready.baseUrl,
    advertiser: String(account.advertiserId),
    'consumer-id': account.consumerId,
    'key-version': account.keyVersion,
    'key-file': place('key.pem'),
    'token-file': place('token.txt'),
    'retail-host': ready.retailHost,
  };
  cli('account', 'add', ...Object.entries(connection).flatMap(([option, value]) => [`--${option}`, value]));
  return {
    place,
    cli,
    /** What is typed to connect, by the labels of the form. */
    form: {
      'Account name': name,
      'Base URL of the service': ready.baseUrl,
      'Advertiser ID': String(account.advertiserId),
      'Consumer ID': account.consumerId,
      'Key version': account.keyVersion,
      'Retail site host': ready.retailHost.replace(/^https?:\/\//, ''),
      'Header prefix': ready.headerPrefix,
    },
    /** Rows of a sheet, under the columns of campaigns and items. */
    importRows: (...rows: readonly string[]) => {
      writeFileSync(place('rows.csv'), [TITLE, ...rows].join('\n'));
      cli('import', place('rows.csv'));
    },
    /** An order to the service's control interface. */
    order: async (path: string, body: object) => {
      const answer = await fetch(`${ready.controlUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    },
    /** How many ordered faults no call has met yet. */
    faults: async (): Promise<number> => (await (await fetch(`${ready.controlUrl}/faults`)).json()).faults.length,
    /** The id the service gave a campaign, as somebody finds it in the retailer's own pages. */
    campaignId: async (name: string) => {
      const { campaigns } = await (await fetch(`${ready.controlUrl}/state`)).json();
      return String(campaigns.find((campaign: { readonly name: string }) => campaign.name === name)?.campaignId);
    },
    /** Keeps every answer back until it is let go: what the window shows meanwhile stays as it is, on however slow a machine. */
    hold: () => void child.kill('SIGSTOP'),
    letGo: () => void child.kill('SIGCONT'),
    close: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  // One that is held does not hear that it is to end.
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
