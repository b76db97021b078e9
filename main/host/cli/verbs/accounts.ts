import { foundSettingText } from '../../../../shared/explain/refused-connection.ts';
import { CAPABILITY_NAMES, CAPABILITY_REQUESTS, type CapabilityName } from '../../../../shared/plan/capabilities.ts';
import { commandsOf } from '../../../../shared/plan/command-capabilities.ts';
import { NOT_OFFERED } from '../../../../shared/plan/offering-text.ts';
import type { Client, Command, Context } from '../command.ts';
import { openingStop } from '../problem-text.ts';
import { EXIT, Stop, usageStop } from '../stop.ts';
import { counted, table } from '../table.ts';

const accountAdd: Command = {
  name: 'account add',
  takes:
    '--name N (--practice | --base-url U --advertiser ID --consumer-id C --key-version V --key-file F [--key-passphrase-file F] --token-file F --retail-host H [--header-prefix P] [--extensions on|off])',
  summary: 'Adds a practice account, or connects a real one after proving its key, token and addresses.',
  options: {
    name: { type: 'string' },
    practice: { type: 'boolean' },
    'base-url': { type: 'string' },
    advertiser: { type: 'string' },
    'consumer-id': { type: 'string' },
    'key-version': { type: 'string' },
    'key-file': { type: 'string' },
    'key-passphrase-file': { type: 'string' },
    'token-file': { type: 'string' },
    'retail-host': { type: 'string' },
    'header-prefix': { type: 'string' },
    extensions: { type: 'string' },
  },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const name = context.need('name');
    const client = await context.client();
    if (context.flag('practice')) {
      const account = await client.accounts.addPractice({ name });
      context.output.say(`Added "${account.name}", advertiser ${account.advertiserId}.`);
      context.output.result({ account: account.name, advertiserId: account.advertiserId });
      return EXIT.done;
    }
    const { found, clockAheadSeconds, ...account } = await connect(context, client, name);
    context.output.say(`Added "${account.name}", advertiser ${account.advertiserId}.`);
    for (const { setting, value } of found) context.output.say(`${foundSettingText(setting, value)} Stored.`);
    context.output.result({ account: account.name, advertiserId: account.advertiserId, found, clockAheadSeconds });
    return EXIT.done;
  },
};

async function connect(context: Context, client: Client, name: string) {
  const extensions = context.text('extensions') ?? 'on';
  if (extensions !== 'on' && extensions !== 'off') throw usageStop('--extensions is on or off.');
  const { grants } = await context.core();
  const grant = async (option: string): Promise<string> => {
    const file = await grants.grantPath(context.need(option));
    if (file.ok) return file.value.grant;
    throw new Stop(EXIT.refused, 'BAD_FILE', `--${option}: ${file.error.fileName} cannot be read. Check the path.`);
  };
  const draft = {
    name,
    baseUrl: context.need('base-url'),
    advertiserId: context.need('advertiser'),
    consumerId: context.need('consumer-id'),
    keyVersion: context.need('key-version'),
    retailHost: context.need('retail-host'),
    headerPrefix: context.text('header-prefix') ?? 'SVC',
    extensions: extensions === 'on',
  };
  const isLocked = context.text('key-passphrase-file') !== null;
  return client.accounts.connect({
    ...draft,
    ...(isLocked ? { keyPassphraseGrant: await grant('key-passphrase-file') } : {}),
    keyGrant: await grant('key-file'),
    tokenGrant: await grant('token-file'),
  });
}

const accountList: Command = {
  name: 'account list',
  takes: '',
  summary: 'Lists the accounts of the data folder; the first one is the default.',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const accounts = await (await context.client()).accounts.list();
    if (accounts.length === 0) {
      context.output.say(
        'No accounts yet. "adslate account add --name Practice --practice" adds one to try things on.',
      );
    } else {
      const rows = accounts.map((account) => [
        account.name,
        account.advertiserId,
        account.practice ? 'practice' : account.baseUrl,
        account.secrets,
      ]);
      for (const line of table(['Account', 'Advertiser', 'Service', 'Secrets'], rows)) context.output.say(line);
    }
    context.output.result({
      accounts: accounts.map(({ name, advertiserId, practice, baseUrl, secrets, mode, keyFingerprint }) => ({
        account: name,
        advertiserId,
        practice,
        baseUrl,
        secrets,
        mode,
        keyFingerprint,
      })),
    });
    return EXIT.done;
  },
};

const accountRemove: Command = {
  name: 'account remove',
  takes: '--account N [--yes]',
  summary: 'Removes an account with its workspace and all of its files, and lists what went.',
  options: { yes: { type: 'boolean' }, name: { type: 'string' } },
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const named = context.positionals[0] ?? context.text('name') ?? context.text('account');
    if (named === null) throw usageStop('Say which account: adslate account remove --account NAME.');
    const client = await context.client();
    const account = (await client.accounts.list()).find(({ name }) => name.toLowerCase() === named.toLowerCase());
    if (account === undefined) throw usageStop(`There is no account "${named}". "adslate account list" shows them.`);
    if (!context.flag('yes')) {
      if (!context.interactive)
        throw usageStop(`Add --yes: "${account.name}" and all of its files are removed for good.`);
      const answer = await context.ask(`Remove "${account.name}" and all of its files for good? [y/N] `);
      if (!/^y(es)?$/i.test(answer.trim())) {
        context.output.say('Nothing was removed.');
        return EXIT.done;
      }
    }
    // A damaged workspace may be removed; one that another program has open may not.
    const opened = await (await context.core()).open.get(account.workspaceId);
    if (!opened.ok && opened.error.kind === 'not-writable' && opened.error.why === 'busy-elsewhere') {
      throw openingStop(opened.error);
    }
    const { removed } = await client.accounts.remove({ workspaceId: account.workspaceId });
    context.output.say(`Removed "${account.name}" and ${counted(removed.length, 'file')}.`);
    context.output.result({ account: account.name, removed });
    return EXIT.done;
  },
};

const capabilities: Command = {
  name: 'capabilities',
  takes: '[--probe] [--set NAME=on|off|auto]',
  summary:
    'Shows which requests beyond the documented ones the service offers, which of them the account uses, and which commands rest on each.',
  options: { probe: { type: 'boolean' }, set: { type: 'string' } },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const workspaceId = await context.workspaceId();
    const { accounts } = await context.client();
    const set = context.text('set');
    if (set !== null) await accounts.setCapability({ workspaceId, ...readSwitch(set) });
    const shown = context.flag('probe')
      ? await accounts.probeCapabilities({ workspaceId })
      : await accounts.capabilities({ workspaceId });
    const rows = shown.map((one) => [
      one.name,
      one.offered === null ? 'unknown' : one.offered ? 'extension' : 'not available',
      one.seenAt === null ? '' : new Date(one.seenAt).toISOString(),
      one.set === null ? 'auto' : one.set ? 'on' : 'off',
      one.inUse ? 'used' : 'not used',
      CAPABILITY_REQUESTS[one.name],
      commandsOf(one.name).join(', '),
    ]);
    const headings = ['Capability', 'Service', 'Last checked', 'Setting', 'Account', 'Request', 'Carries'];
    for (const line of table(headings, rows)) context.output.say(line);
    const missing = shown.filter(({ name, inUse }) => !inUse && commandsOf(name).length > 0);
    if (missing.length > 0) {
      const commands = missing.flatMap(({ name }) => commandsOf(name));
      context.output.say(`${commands.join(', ')}: ${NOT_OFFERED}`);
    }
    context.output.result({ capabilities: shown.map((one) => ({ ...one, carries: commandsOf(one.name) })) });
    return EXIT.done;
  },
};

const SWITCHES = { on: true, off: false, auto: null } as const;

function readSwitch(text: string): { readonly name: CapabilityName; readonly use: boolean | null } {
  const [typed = '', word = ''] = text.split('=', 2);
  const name = CAPABILITY_NAMES.find((known) => known.toLowerCase() === typed.trim().toLowerCase());
  if (name === undefined) {
    throw usageStop(`"${typed}" is not a capability. Use one of ${CAPABILITY_NAMES.join(', ')}.`);
  }
  if (!Object.hasOwn(SWITCHES, word)) throw usageStop(`--set takes ${name}=on, ${name}=off or ${name}=auto.`);
  return { name, use: SWITCHES[word as keyof typeof SWITCHES] };
}

export const accountCommands: readonly Command[] = [accountAdd, accountList, accountRemove, capabilities];
