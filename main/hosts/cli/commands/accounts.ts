import { type CredentialStatus, CredentialStorage } from '../../../../shared/api/accounts.ts';
import type { PracticeState } from '../../../../shared/api/app.ts';
import { differenceText } from '../../../../shared/deployment/settings-text.ts';
import { foundTexts } from '../../../../shared/error-help/connection-errors.ts';
import { statusName } from '../../../../shared/lifecycle/states.ts';
import { commandsOf, NOT_OFFERED } from '../../../../shared/plan/capabilities.ts';
import { CAPABILITY_NAMES, CAPABILITY_REQUESTS, type CapabilityName } from '../../../../shared/plan/plan-types.ts';
import { lockDataFolder } from '../../start/start-host.ts';
import { CliError, EXIT_CODE, failureError, noAccountText, usageError } from '../cli-error.ts';
import type { Client, Command, Context } from '../command.ts';
import { readNamedFile, readPassphraseFile, unreadableFile } from '../named-file.ts';
import { counted } from '../output.ts';

const accountAdd: Command = {
  name: 'account add',
  takes: '--name NAME (--practice | --sample | --base-url URL ...)',
  purpose: 'Adds a practice or sample account, or connects a real one after testing it.',
  parameters: {
    '--name NAME': 'Account name. For an existing name, key and token are renewed.',
    '--practice': 'Adds a practice account. No other option is needed.',
    '--sample': 'Adds a sample account with campaigns in it. No other option is needed.',
    '--base-url URL': 'Service address. With the next 6 options, connects a real account.',
    '--advertiser ID': 'Advertiser ID.',
    '--consumer-id ID': 'Consumer ID.',
    '--key-version VERSION': 'Version of the private key, such as 1.',
    '--key-file FILE': 'Private key (PEM).',
    '--token-file FILE': 'Access token.',
    '--retail-host HOST': 'Host of the retail site, for click URLs.',
    '--key-passphrase-file FILE': 'Passphrase of an encrypted private key, on one line.',
    '--header-prefix PREFIX': 'Prefix of the request headers. The default is SVC.',
    '--extensions on|off': 'Whether to use requests that are not documented. The default is on.',
  },
  example: 'adslate account add --name Practice --practice',
  run: async (context) => {
    const name = context.need('name');
    const client = await context.client();
    const isSample = context.flag('sample');
    if (isSample || context.flag('practice')) {
      const added = isSample ? client.accounts.addSample({ name }) : client.accounts.addPractice({ name });
      const { name: account, advertiserId } = await added;
      context.output.say(`Added "${account}", advertiser ${advertiserId}.`);
      return context.output.result({ account, advertiserId });
    }
    const { name: account, advertiserId, found, clockAheadSeconds } = await connect(context, client, name);
    context.output.say(`Added "${account}", advertiser ${advertiserId}.`);
    context.output.say(foundTexts({ found, clockAheadSeconds }));
    context.output.result({ account, advertiserId, found, clockAheadSeconds });
  },
};

async function connect(context: Context, client: Client, name: string) {
  const extensions = context.text('extensions') ?? 'on';
  if (extensions !== 'on' && extensions !== 'off') throw usageError('--extensions must be on or off.');
  const { grants } = await context.core();
  const grant = async (option: string): Promise<string> => {
    const file = await grants.grantPath(context.need(option));
    if (file.ok) return file.value.grant;
    throw unreadableFile(`${file.error.data.fileName} (--${option})`, file.error.data);
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
  purpose: 'Lists the accounts in the data folder; the first one is the default.',
  example: 'adslate account list --data ./work',
  run: async (context) => {
    const accounts = await (await context.client()).accounts.list();
    context.output.table(
      ['Account', 'Advertiser', 'Service', 'Credentials'],
      accounts.map(({ name, advertiserId, practice, baseUrl, secrets }) => [
        name,
        advertiserId,
        practice ? 'practice' : baseUrl,
        secrets === 'keyring' ? STORAGE_WORDS.keyring : secrets,
      ]),
      'No accounts yet. Run "adslate account add --name Practice --practice" to add one.',
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
  takes: '--account NAME',
  purpose: 'Removes an account and all of its files from this computer.',
  parameters: {
    '--account NAME': 'Account to remove.',
    '--name NAME': 'The same as --account.',
    '--yes': 'Removes the account without asking.',
  },
  example: 'adslate account remove --account Practice --yes',
  positionals: [0, 1],
  run: async (context) => {
    const named = context.positionals[0] ?? context.text('name') ?? context.text('account');
    if (named === null) throw usageError('The account is missing. Run "adslate account remove --account NAME".');
    const client = await context.client();
    const account = (await client.accounts.list()).find(({ name }) => name.toLowerCase() === named.toLowerCase());
    if (account === undefined) throw usageError(noAccountText(named));
    const isAgreed = await context.isConfirmed(
      `Permanently delete "${account.name}" and all of its files?`,
      usageError(`Add --yes to permanently delete "${account.name}" and all of its files.`),
    );
    if (!isAgreed) return context.output.say('Nothing was deleted.');
    // A damaged workspace may be removed; one that another program has open may not.
    const opened = await (await context.core()).open.get(account.workspaceId);
    if (!opened.ok && opened.error.code === 'NOT_WRITABLE' && opened.error.data.why === 'busy-elsewhere') {
      throw failureError(opened.error);
    }
    const { removed } = await client.accounts.remove({ workspaceId: account.workspaceId });
    context.output.say(`Removed "${account.name}" and ${counted(removed.length, 'file')}.`);
    context.output.result({ account: account.name, removed });
  },
};

const capabilities: Command = {
  name: 'capabilities',
  purpose: 'Shows which extensions the service offers, and which the account uses.',
  parameters: {
    '--probe': 'Checks again what the service offers.',
    '--set NAME=on|off|auto': 'Switches one extension on or off, or leaves it to the check (auto).',
  },
  example: 'adslate capabilities --probe',
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
    const headings = ['Capability', 'Service', 'Last checked', 'Setting', 'Account', 'Request', 'Commands'];
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
  if (!Object.hasOwn(SWITCHES, word)) throw usageError(`--set must be ${name}=on, ${name}=off or ${name}=auto.`);
  return { name, use: SWITCHES[word as keyof typeof SWITCHES] };
}

/** Deployment settings take up a few kilobytes. */
const BYTES_MAX = 1024 * 1024;

const deploymentCommand: Command = {
  name: 'deployment',
  takes: '[--all | --set FILE | --reset]',
  purpose: 'Shows the deployment settings that differ from the defaults, or changes them.',
  parameters: {
    '--all': 'Shows every setting, in the format that --set reads.',
    '--set FILE': 'Replaces the settings with those of a file, one key=value per line.',
    '--reset': 'Resets all settings to their defaults.',
  },
  example: 'adslate deployment --all > deployment.txt',
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
    const differences = profile.differences.map(({ key, value, usual }) => ({ key, value, default: usual }));
    output.result({ ...profile, differences });
  },
};

/** The text to set; null when the settings are only shown. */
async function wantedText(context: Context): Promise<string | null> {
  if (context.flag('reset')) return '';
  const path = context.text('set');
  if (path === null) return null;
  const read = await readNamedFile(path, BYTES_MAX);
  if (!read.ok) throw usageError(`Can't read the deployment settings in ${path} (${read.error.why}). Check the path.`);
  return read.value.toString('utf8');
}

/** How credentials of accounts connected in the window are stored, and the other options. */
const credentialsStatus: Command = {
  name: 'credentials status',
  purpose: 'Shows how credentials are stored on this computer, and the other options.',
  example: 'adslate credentials status',
  run: async (context) => {
    showCredentials(context, await (await context.client()).credentials.status());
  },
};

const credentialsStorage: Command = {
  name: 'credentials storage',
  takes: 'keychain|passphrase|memory',
  purpose: 'Changes how credentials are stored, and moves those that are unlocked.',
  parameters: {
    keychain: 'Stores them in the system keychain.',
    passphrase: 'Encrypts them with a passphrase.',
    memory: 'Keeps them in memory only. Adslate asks for them at each start.',
    '--new-passphrase-file FILE': 'The new passphrase, on one line. Required for passphrase.',
  },
  example: 'adslate credentials storage passphrase --new-passphrase-file passphrase.txt',
  positionals: [1, 1],
  run: async (context) => {
    const [word = ''] = context.positionals;
    const storage = CredentialStorage.options.find((one) => STORAGE_WORDS[one] === word);
    if (storage === undefined)
      throw usageError(`"${word}" is not a storage option. Use keychain, passphrase or memory.`);
    const file = context.text('new-passphrase-file');
    if (storage === 'passphrase' && file === null) {
      throw usageError('The passphrase is missing. Write it to a file, then add --new-passphrase-file FILE.');
    }
    // An open window has the key that is replaced here, and would continue to encrypt with it.
    const held = lockDataFolder(context.dataDir, context.nowMs());
    if (!held.ok) throw new CliError(EXIT_CODE.workspace, 'BUSY', held.error.message);
    try {
      const client = await context.client();
      const passphrase = file === null ? {} : { passphrase: await readPassphraseFile(file) };
      showCredentials(context, await client.credentials.setStorage({ storage, ...passphrase }));
    } finally {
      held.value.release();
    }
  },
};

const credentialsRemove: Command = {
  name: 'credentials remove',
  takes: '--account NAME',
  purpose: 'Deletes the credentials of an account, and keeps the account.',
  parameters: { '--account NAME': 'Account whose credentials are deleted.' },
  example: 'adslate credentials remove --account Northwind',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const status = await client.credentials.remove({ workspaceId });
    context.output.say('Credentials deleted. To use the account again, connect it with a key and a token.');
    context.output.result(credentialsJson(status));
  },
};

function showCredentials({ output }: Context, status: CredentialStatus): void {
  output.say(credentialsText(status));
  output.result(credentialsJson(status));
}

const STORAGE_WORDS = { keyring: 'keychain', passphrase: 'passphrase', memory: 'memory' } as const;

const credentialsJson = ({ storage, state, problem, store, offered }: CredentialStatus) => ({
  storage: STORAGE_WORDS[storage],
  state,
  problem,
  store,
  available: offered.map((one) => STORAGE_WORDS[one]),
});

/** Where credentials are stored, and against what they are protected there. */
function credentialsText({ storage, state, problem, store, offered }: CredentialStatus): readonly string[] {
  const options = `Storage options: ${offered.map((one) => STORAGE_WORDS[one]).join(', ')}.`;
  if (state === 'refused') return [REFUSED[problem ?? 'damaged'], options];
  if (state === 'locked') return ['Encrypted with your passphrase and locked. Add --passphrase-file FILE to unlock.'];
  return [storage === 'keyring' ? `${OPEN.keyring} (${store ?? 'unnamed'})` : OPEN[storage], options];
}

const OPEN = {
  keyring: 'In the system keychain. Protected from other users and on a stolen disk, but not from programs you run.',
  passphrase: 'Encrypted with your passphrase. Unlocked only while Adslate runs, after you enter it.',
  memory: 'In memory only. Nothing is saved to disk, and Adslate asks for the key and token at each start.',
} as const;

const STORAGE_NEXT = 'run "adslate credentials storage" and connect each account again';

const REFUSED = {
  'store-changed': `The system keychain is not the same as before. Start Adslate in the previous desktop session, or ${STORAGE_NEXT}. Nothing was deleted.`,
  'store-closed': `The system keychain is locked or no longer has Adslate's key. Unlock it and try again, or ${STORAGE_NEXT}. Nothing was deleted.`,
  damaged: `The file that records how credentials are stored is damaged. To go on, ${STORAGE_NEXT}. The old data is kept.`,
} as const;

const practiceClock: Command = {
  name: 'practice clock',
  takes: '[DURATION]',
  purpose: 'Shows the practice clock, or moves it ahead.',
  parameters: { DURATION: 'ISO 8601 duration: PT30M for 30 minutes, PT12H for 12 hours, P3D for 3 days.' },
  example: 'adslate practice clock P3D',
  positionals: [0, 1],
  run: async (context) => {
    const duration = context.positionals[0]?.toUpperCase() ?? null;
    if (duration !== null && !DURATION.test(duration)) {
      throw usageError(
        `"${duration}" is not a duration. Enter PT30M for 30 minutes, PT12H for 12 hours or P3D for 3 days.`,
      );
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
  purpose: 'Approves or rejects practice reviews.',
  parameters: {
    REVIEW_ID: 'Review to decide. Without it, all open reviews are decided.',
    approved: 'Approves the review.',
    rejected: 'Rejects the review.',
  },
  example: 'adslate practice decide approved',
  positionals: [1, 2],
  run: async (context) => {
    const [first = '', second] = context.positionals;
    const verdict = second ?? first;
    if (verdict !== 'approved' && verdict !== 'rejected')
      throw usageError(`"${verdict}" is not a result. Use approved or rejected.`);
    const { client, workspaceId } = await context.atAccount();
    const { practice } = client;
    const open = (await practice.state({ workspaceId })).openReviews.map(({ reviewId }) => reviewId);
    if (second !== undefined && !open.includes(first))
      throw usageError(`Open review "${first}" not found. Run "adslate practice clock" to list open reviews.`);
    for (const reviewId of second === undefined ? open : [first]) {
      await practice.decide({ workspaceId, reviewId, verdict });
    }
    showPractice(context, await practice.state({ workspaceId }));
  },
};

function showPractice({ output }: Context, state: PracticeState): void {
  output.say(`The practice clock shows ${state.now}.`);
  output.say(
    state.openReviews.map(
      ({ reviewId, campaign, status }) => `Review ${reviewId} of "${campaign}": ${statusName(status)}`,
    ),
  );
  output.result(state);
}

export const accountCommands: readonly Command[] = [
  accountAdd,
  accountList,
  accountRemove,
  capabilities,
  credentialsStatus,
  credentialsStorage,
  credentialsRemove,
  deploymentCommand,
  practiceClock,
  practiceDecide,
];
