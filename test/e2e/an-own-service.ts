import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const out = process.env['OUT'] ?? join(import.meta.dirname, '..', '..', 'out');
const TITLE = 'Type,Campaign,Campaign type,Targeting,Start,Total budget,Daily budget,Item id,Bid';

/** A service of its own that can be told to fail, and an account of a data folder that is connected to it. */
export interface OwnService {
  /** A file in the folder of the spec. */
  place(name: string): string;
  /** One verb of the command line on the data folder. No window may have it open. */
  cli(...words: readonly string[]): void;
  /** What is typed to connect, by the labels of the form. */
  readonly form: Readonly<Record<string, string>>;
  /** Rows of a sheet, under the columns of campaigns and items. */
  importRows(...rows: readonly string[]): void;
  /** An order to the service's control interface. */
  order(path: string, body: object): Promise<void>;
  /** How many ordered faults no call has met yet. */
  faults(): Promise<number>;
  /** The id the service gave a campaign, as somebody finds it in the retailer's own pages. */
  campaignId(name: string): Promise<string>;
  /** Keeps every answer back until it is let go: what the window shows meanwhile stays as it is, on however slow a machine. */
  hold(): void;
  letGo(): void;
  close(): Promise<void>;
}

/** A campaign with one item, as lines of a sheet. */
export const rowsOf = (name: string, bid: string): readonly string[] => [
  `campaign,${quoted(name)},sponsoredProducts,auto,2030-05-01,100,50,,`,
  `ad item,${quoted(name)},,,,,,0799650557,${bid}`,
];
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * @param scenario what the service begins with: nothing, a shop whose campaigns have run for months, or the sample with all extensions
 * @param options more of the sandbox's command line, such as its hourly limit
 */
export async function anOwnService(
  dataDir: string,
  folder: string,
  name: string,
  scenario: 'empty' | 'demo' | 'sample' = 'empty',
  options: readonly string[] = [],
): Promise<OwnService> {
  const child = spawn(
    process.execPath,
    [
      join(out, 'sandbox/cli.js'),
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
  const place = (file: string): string => join(folder, file);
  writeFileSync(place('key.pem'), account.privateKeyPem);
  writeFileSync(place('token.txt'), account.token);
  const cli: OwnService['cli'] = (...words) => {
    const run = spawnSync(process.execPath, [join(out, 'main/cli.js'), ...words, '--data', dataDir], {
      encoding: 'utf8',
    });
    // 1 says that there are findings, 3 that something needs the user.
    if (![0, 1, 3].includes(run.status ?? -1)) throw new Error(`${words[0]}: ${run.stdout}${run.stderr}`);
  };
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
    form: {
      'Account name': name,
      'Base URL of the service': ready.baseUrl,
      'Advertiser ID': String(account.advertiserId),
      'Consumer ID': account.consumerId,
      'Key version': account.keyVersion,
      'Retail site host': ready.retailHost.replace(/^https?:\/\//, ''),
      'Header prefix': ready.headerPrefix,
    },
    importRows: (...rows) => {
      writeFileSync(place('rows.csv'), [TITLE, ...rows].join('\n'));
      cli('import', place('rows.csv'));
    },
    order: async (path, body) => {
      const answer = await fetch(`${ready.controlUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    },
    faults: async () => (await (await fetch(`${ready.controlUrl}/faults`)).json()).faults.length,
    campaignId: async (name) => {
      const { campaigns } = await (await fetch(`${ready.controlUrl}/state`)).json();
      return String(campaigns.find((campaign: { readonly name: string }) => campaign.name === name)?.campaignId);
    },
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
