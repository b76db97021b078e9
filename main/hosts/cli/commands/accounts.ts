import { type CredentialStatus, CredentialStorage } from '../../../../shared/api/accounts.ts';
import type { PracticeState } from '../../../../shared/api/app.ts';
import { differenceText } from '../../../../shared/deployment/settings-text.ts';
import { foundSettingText } from '../../../../shared/error-help/connection-errors.ts';
import { CAPABILITY_REQUESTS, commandsOf, NOT_OFFERED } from '../../../../shared/plan/capabilities.ts';
import { CAPABILITY_NAMES, type CapabilityName } from '../../../../shared/plan/plan-types.ts';
import { lockDataFolder } from '../../start/start-host.ts';
import { CliError, EXIT_CODE, openAccountError, refused, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { readNamedFile, readPassphraseFile } from '../named-file.ts';
import { counted } from '../output.ts';

const accountAdd: Command = {
  name: 'account add',
  takes:
    '--name N (--practice | --base-url U --advertiser ID --consumer-id C --key-version V --key-file F [--key-passphrase-file F] --token-file F --retail-host H [--header-prefix P] [--extensions on|off])',
  summary: 'Adds a practice account, or connects a real account after testing its key, token and addresses.',
  run: async (context) => {
    const name = context.need('name');
    const client = await context.client();
    if (context.flag('practice')) {
      const { name: account, advertiserId } = await client.accounts.addPractice({ name });
      context.output.say(`Added "${account}", advertiser ${advertiserId}.`);
      return context.output.result({ account, advertiserId });
    }
    const { name: account, advertiserId, found, clockAheadSeconds } = await connect(context, client, name);
    context.output.say(`Added "${account}", advertiser ${advertiserId}.`);
    context.output.say(found.map(({ setting, value }) => `${foundSettingText(setting, value)} Stored.`));
    context.output.result({ account, advertiserId, found, clockAheadSeconds });
  },
};

async function connect(context: Context, client: Client, name: string) {
  const extensions = context.text('extensions') ?? 'on';
  if (extensions !== 'on' && extensions !== 'off') throw usageError('--extensions is on or off.');
  const { grants } = await context.core();
  const grant = async (option: string): Promise<string> => {
    const file = await grants.grantPath(context.need(option));
    if (file.ok) return file.value.grant;
    throw refused('BAD_FILE', `--${option}: ${file.error.fileName} cannot be read. Check the path.`);
  };
  const isLocked = context.text('key-passphrase-file') !== null;
  return client.accounts.connect({
    name,
    baseUrl: context.need('base-url'),
    advertiserId: context.need('advertiser'),
    consumerId: context.need('consumer-id'),
    keyVersion: context.need('key-version'),
    retailHost: context.need('retail-host'),
    headerPrefix: context.text('header-prefix') ?? 'SVC',
    extensions: extensions === 'on',
    ...(isLocked ? { keyPassphraseGrant: await grant('key-passphrase-file') } : {}),
    keyGrant: await grant('key-file'),
    tokenGrant: await grant('token-file'),
  });
}

const accountList: Command = {
  name: 'account list',
  summary: 'Lists the accounts of the data folder; the first one is the default.',
  run: async (context) => {
    const accounts = await (await context.client()).accounts.list();
    context.output.table(
      ['Account', 'Advertiser', 'Service', 'Secrets'],
      accounts.map(({ name, advertiserId, practice, baseUrl, secrets }) => [
        name,
        advertiserId,
        practice ? 'practice' : baseUrl,
        secrets,
      ]),
      'No accounts yet. "adslate account add --name Practice --practice" adds one to try things on.',
    );
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
  },
};

const accountRemove: Command = {
  name: 'account remove',
  takes: '--account N [--yes]',
  alsoTakes: '--name NAME',
  summary: 'Removes an account and all of its files from this computer, and lists what was deleted.',
  positionals: [0, 1],
  run: async (context) => {
    const named = context.positionals[0] ?? context.text('name') ?? context.text('account');
    if (named === null) throw usageError('Say which account: adslate account remove --account NAME.');
    const client = await context.client();
    const account = (await client.accounts.list()).find(({ name }) => name.toLowerCase() === named.toLowerCase());
    if (account === undefined) throw usageError(`There is no account "${named}". "adslate account list" shows them.`);
    const isAgreed = await context.isConfirmed(
      `Remove "${account.name}" and all of its files for good?`,
      usageError(`Add --yes: "${account.name}" and all of its files are removed for good.`),
    );
    if (!isAgreed) return context.output.say('Nothing was removed.');
    // A damaged workspace may be removed; one that another program has open may not.
    const opened = await (await context.core()).open.get(account.workspaceId);
    if (!opened.ok && opened.error.kind === 'not-writable' && opened.error.why === 'busy-elsewhere') {
      throw openAccountError(opened.error);
    }
    const { removed } = await client.accounts.remove({ workspaceId: account.workspaceId });
    context.output.say(`Removed "${account.name}" and ${counted(removed.length, 'file')}.`);
    context.output.result({ account: account.name, removed });
  },
};

const capabilities: Command = {
  name: 'capabilities',
  takes: '[--probe] [--set NAME=on|off|auto]',
  summary:
    'Shows which requests beyond the documented ones the service offers, which of them the account uses, and which commands rest on each.',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const { accounts } = client;
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
    context.output.table(headings, rows);
    const missing = shown.filter(({ name, inUse }) => !inUse && commandsOf(name).length > 0);
    if (missing.length > 0) {
      const commands = missing.flatMap(({ name }) => commandsOf(name));
      context.output.say(`${commands.join(', ')}: ${NOT_OFFERED}`);
    }
    context.output.result({ capabilities: shown.map((one) => ({ ...one, carries: commandsOf(one.name) })) });
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

/** Every limit and word of a deployment takes a few kilobytes. */
const BYTES_MAX = 1024 * 1024;

const deploymentCommand: Command = {
  name: 'profile',
  takes: '[--all | --set FILE | --reset]',
  summary:
    'Shows the deployment settings that differ from the defaults. --all shows every setting, in the format that --set reads.',
  run: async (context) => {
    const { output } = context;
    const { client, workspaceId } = await context.atAccount();
    const { accounts } = client;
    const text = await wantedText(context);
    const profile =
      text === null ? await accounts.profile({ workspaceId }) : await accounts.setProfile({ workspaceId, text });
    for (const note of profile.notes) output.aside(note);
    if (context.flag('all')) output.say(profile.text.trimEnd());
    else if (profile.differences.length === 0) output.say('All deployment settings have their default values.');
    else output.say(differenceText(profile.differences).trimEnd());
    output.result(profile);
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
  summary: 'Shows how credentials are stored on this computer and which other options are available.',
  run: async (context) => {
    const status = await (await context.client()).credentials.status();
    context.output.say(secretsWords(status));
    context.output.result(status);
  },
};

const secretsChoose: Command = {
  name: 'secrets choose',
  takes: 'keyring|passphrase|memory [--new-passphrase-file F] [--passphrase-file F]',
  summary: 'Changes how credentials are stored. Unlocked credentials are moved.',
  positionals: [1, 1],
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
      const status = await client.credentials.setStorage({ grade: grade.data, ...passphrase });
      context.output.say(secretsWords(status));
      context.output.result(status);
    } finally {
      held.value.release();
    }
  },
};

const secretsForget: Command = {
  name: 'secrets forget',
  takes: '--account N',
  summary: 'Deletes the credentials of an account. The account stays; connect it again to add new ones.',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const status = await client.credentials.remove({ workspaceId });
    context.output.say('Forgotten. Connect the account again to give it a key and a token.');
    context.output.result(status);
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

const practiceClock: Command = {
  name: 'practice clock',
  takes: '[DURATION]',
  summary: 'Shows the practice clock, or moves it ahead by an ISO 8601 duration such as PT30M or P3D.',
  positionals: [0, 1],
  run: async (context) => {
    const duration = context.positionals[0]?.toUpperCase() ?? null;
    if (duration !== null && !DURATION.test(duration)) {
      throw usageError(`"${duration}" is no duration. Write PT30M for 30 minutes, PT12H for 12 hours, P3D for 3 days.`);
    }
    const { client, workspaceId } = await context.atAccount();
    const { practice } = client;
    showPractice(
      context,
      duration === null ? await practice.state({ workspaceId }) : await practice.advance({ workspaceId, duration }),
    );
  },
};

const DURATION = /^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/;

const practiceDecide: Command = {
  name: 'practice decide',
  takes: '[REVIEW_ID] approved|rejected',
  summary: 'Approves or rejects a practice review; without an ID, all open ones.',
  positionals: [1, 2],
  run: async (context) => {
    const [first = '', second] = context.positionals;
    const verdict = second ?? first;
    if (verdict !== 'approved' && verdict !== 'rejected') throw usageError('A verdict is approved or rejected.');
    const { client, workspaceId } = await context.atAccount();
    const { practice } = client;
    const open = (await practice.state({ workspaceId })).openReviews.map(({ reviewId }) => reviewId);
    if (second !== undefined && !open.includes(first)) throw usageError(`There is no open review ${first}.`);
    for (const reviewId of second === undefined ? open : [first]) {
      await practice.decide({ workspaceId, reviewId, verdict });
    }
    showPractice(context, await practice.state({ workspaceId }));
  },
};

function showPractice({ output }: Context, state: PracticeState): void {
  output.say(`The practice clock shows ${state.now}.`);
  output.say(
    state.openReviews.map(({ reviewId, campaign, status }) => `Review ${reviewId} of "${campaign}": ${status}`),
  );
  output.result(state);
}

export const accountCommands: readonly Command[] = [
  accountAdd,
  accountList,
  accountRemove,
  capabilities,
  secretsStatus,
  secretsChoose,
  secretsForget,
  deploymentCommand,
  practiceClock,
  practiceDecide,
];
