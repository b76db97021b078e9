import { type CredentialStatus, CredentialStorage } from '../../../../shared/api/accounts.ts';
import { differenceText } from '../../../../shared/deployment/settings-text.ts';
import { foundSettingText } from '../../../../shared/error-help/connection-errors.ts';
import { CAPABILITY_REQUESTS, commandsOf, NOT_OFFERED } from '../../../../shared/plan/capabilities.ts';
import { CAPABILITY_NAMES, type CapabilityName } from '../../../../shared/plan/plan-types.ts';
import { lockDataFolder } from '../../start/data-folder-lock.ts';
import { CliError, EXIT_CODE, openAccountError, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { readNamedFile, readPassphraseFile } from '../named-file.ts';
import { counted, table } from '../output.ts';

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
      return EXIT_CODE.done;
    }
    const { found, clockAheadSeconds, ...account } = await connect(context, client, name);
    context.output.say(`Added "${account.name}", advertiser ${account.advertiserId}.`);
    for (const { setting, value } of found) context.output.say(`${foundSettingText(setting, value)} Stored.`);
    context.output.result({ account: account.name, advertiserId: account.advertiserId, found, clockAheadSeconds });
    return EXIT_CODE.done;
  },
};

async function connect(context: Context, client: Client, name: string) {
  const extensions = context.text('extensions') ?? 'on';
  if (extensions !== 'on' && extensions !== 'off') throw usageError('--extensions is on or off.');
  const { grants } = await context.core();
  const grant = async (option: string): Promise<string> => {
    const file = await grants.grantPath(context.need(option));
    if (file.ok) return file.value.grant;
    throw new CliError(
      EXIT_CODE.refused,
      'BAD_FILE',
      `--${option}: ${file.error.fileName} cannot be read. Check the path.`,
    );
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
    return EXIT_CODE.done;
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
    if (named === null) throw usageError('Say which account: adslate account remove --account NAME.');
    const client = await context.client();
    const account = (await client.accounts.list()).find(({ name }) => name.toLowerCase() === named.toLowerCase());
    if (account === undefined) throw usageError(`There is no account "${named}". "adslate account list" shows them.`);
    if (!context.flag('yes')) {
      if (!context.interactive)
        throw usageError(`Add --yes: "${account.name}" and all of its files are removed for good.`);
      const answer = await context.ask(`Remove "${account.name}" and all of its files for good? [y/N] `);
      if (!/^y(es)?$/i.test(answer.trim())) {
        context.output.say('Nothing was removed.');
        return EXIT_CODE.done;
      }
    }
    // A damaged workspace may be removed; one that another program has open may not.
    const opened = await (await context.core()).open.get(account.workspaceId);
    if (!opened.ok && opened.error.kind === 'not-writable' && opened.error.why === 'busy-elsewhere') {
      throw openAccountError(opened.error);
    }
    const { removed } = await client.accounts.remove({ workspaceId: account.workspaceId });
    context.output.say(`Removed "${account.name}" and ${counted(removed.length, 'file')}.`);
    context.output.result({ account: account.name, removed });
    return EXIT_CODE.done;
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
    return EXIT_CODE.done;
  },
};

const SWITCHES = { on: true, off: false, auto: null } as const;

function readSwitch(text: string): { readonly name: CapabilityName; readonly use: boolean | null } {
  const [typed = '', word = ''] = text.split('=', 2);
  const name = CAPABILITY_NAMES.find((known) => known.toLowerCase() === typed.trim().toLowerCase());
  if (name === undefined) {
    throw usageError(`"${typed}" is not a capability. Use one of ${CAPABILITY_NAMES.join(', ')}.`);
  }
  if (!Object.hasOwn(SWITCHES, word)) throw usageError(`--set takes ${name}=on, ${name}=off or ${name}=auto.`);
  return { name, use: SWITCHES[word as keyof typeof SWITCHES] };
}

export const accountCommands: readonly Command[] = [accountAdd, accountList, accountRemove, capabilities];

/** Every limit and word of a deployment takes a few kilobytes. */
const BYTES_MAX = 1024 * 1024;

export const deploymentCommand: Command = {
  name: 'profile',
  takes: '[--all | --set FILE | --reset]',
  summary:
    'Shows in which limits, words and switches this deployment of the service differs from the usual one; --all shows every one, as the text that --set takes.',
  options: { all: { type: 'boolean' }, set: { type: 'string' }, reset: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { output } = context;
    const workspaceId = await context.workspaceId();
    const { accounts } = await context.client();
    const text = await wantedText(context);
    const profile =
      text === null ? await accounts.profile({ workspaceId }) : await accounts.setProfile({ workspaceId, text });
    for (const note of profile.notes) output.aside(note);
    if (context.flag('all')) output.say(profile.text.trimEnd());
    else if (profile.differences.length === 0) output.say('Everything is as usual.');
    else output.say(differenceText(profile.differences).trimEnd());
    output.result(profile);
    return EXIT_CODE.done;
  },
};

/** The text to set; null when the profile is only shown. */
async function wantedText(context: Context): Promise<string | null> {
  if (context.flag('reset')) return '';
  const path = context.text('set');
  if (path === null) return null;
  const read = await readNamedFile(path, BYTES_MAX);
  if (!read.ok) throw usageError(`The profile ${path} cannot be read (${read.error.why}).`);
  return read.value.toString('utf8');
}

/** How keys and tokens of accounts connected in the window are kept, in words and as choices. */
const secretsStatus: Command = {
  name: 'secrets status',
  takes: '[--passphrase-file F]',
  summary: 'Says how the keys and tokens of accounts are kept on this machine, and what else could be chosen.',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const status = await (await context.client()).secrets.status();
    for (const line of secretsWords(status)) context.output.say(line);
    context.output.result(status);
    return EXIT_CODE.done;
  },
};

const secretsChoose: Command = {
  name: 'secrets choose',
  takes: 'keyring|passphrase|memory [--new-passphrase-file F] [--passphrase-file F]',
  summary: 'Keeps keys and tokens in another way from now on; those that are open move along.',
  options: { 'new-passphrase-file': { type: 'string' } },
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const grade = CredentialStorage.safeParse(context.positionals[0]);
    if (!grade.success) throw usageError('Choose one of: keyring, passphrase, memory.');
    const file = context.text('new-passphrase-file');
    if (grade.data === 'passphrase' && file === null) {
      throw usageError('Add --new-passphrase-file FILE: the passphrase never stands on a command line.');
    }
    // An open window holds the key that is replaced here, and would go on sealing with it.
    const held = lockDataFolder(context.dataDir, context.nowMs());
    if (!held.ok) throw new CliError(EXIT_CODE.workspace, 'BUSY', held.error.message);
    try {
      const client = await context.client();
      const passphrase = file === null ? {} : { passphrase: await readPassphraseFile(file) };
      const status = await client.secrets.choose({ grade: grade.data, ...passphrase });
      for (const line of secretsWords(status)) context.output.say(line);
      context.output.result(status);
      return EXIT_CODE.done;
    } finally {
      held.value.release();
    }
  },
};

const secretsForget: Command = {
  name: 'secrets forget',
  takes: '--account N',
  summary: 'Drops the key and the token of one account; the account stays and asks for them again.',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const workspaceId = await context.workspaceId();
    const status = await (await context.client()).secrets.forget({ workspaceId });
    context.output.say('Forgotten. Connect the account again to give it a key and a token.');
    context.output.result(status);
    return EXIT_CODE.done;
  },
};

/** The four grades in words: what they protect from, and from whom they do not. */
function secretsWords({ grade, state, problem, store, offered }: CredentialStatus): readonly string[] {
  const choices = `Can be chosen here: ${offered.join(', ')}.`;
  if (state === 'refused') return [REFUSED[problem ?? 'damaged'], choices];
  if (state === 'locked') return ['Locked. The passphrase opens the keys and tokens: --passphrase-file FILE.'];
  return [grade === 'keyring' ? `${OPEN.keyring} (${store ?? 'unnamed'})` : OPEN[grade], choices];
}

const OPEN = {
  keyring: "Kept by the system's key store: safe from other users and on a stolen disk, not from programs you run.",
  passphrase: 'Sealed with your passphrase: open only while Adslate runs and you have typed it.',
  memory: 'In memory only: nothing is on the disk, and Adslate asks for key and token at each start.',
} as const;

const REFUSED = {
  'store-changed':
    "The system's key store is another one than before. Start under the old desktop to open it, or choose anew and give key and token again; nothing was deleted.",
  'store-closed':
    "The system's key store is closed or no longer has Adslate's key. Unlock it and start again, or choose anew; nothing was deleted.",
  damaged: 'The file that says how secrets are kept is damaged. Choose anew; what is there is set aside, not deleted.',
} as const;

export const credentialCommands: readonly Command[] = [secretsStatus, secretsChoose, secretsForget];
