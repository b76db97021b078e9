import { SecretsGrade, type SecretsStatus } from '../../../../shared/contract/secrets.ts';
import { holdFolder } from '../../start/hold-folder.ts';
import type { Command } from '../command.ts';
import { readPassphraseFile } from '../passphrase-file.ts';
import { EXIT, Stop, usageStop } from '../stop.ts';

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
    return EXIT.done;
  },
};

const secretsChoose: Command = {
  name: 'secrets choose',
  takes: 'keyring|passphrase|memory [--new-passphrase-file F] [--passphrase-file F]',
  summary: 'Keeps keys and tokens in another way from now on; those that are open move along.',
  options: { 'new-passphrase-file': { type: 'string' } },
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const grade = SecretsGrade.safeParse(context.positionals[0]);
    if (!grade.success) throw usageStop('Choose one of: keyring, passphrase, memory.');
    const file = context.text('new-passphrase-file');
    if (grade.data === 'passphrase' && file === null) {
      throw usageStop('Add --new-passphrase-file FILE: the passphrase never stands on a command line.');
    }
    // An open window holds the key that is replaced here, and would go on sealing with it.
    const held = holdFolder(context.dataDir, context.nowMs());
    if (!held.ok) throw new Stop(EXIT.workspace, 'BUSY', held.error.message);
    try {
      const client = await context.client();
      const passphrase = file === null ? {} : { passphrase: await readPassphraseFile(file) };
      const status = await client.secrets.choose({ grade: grade.data, ...passphrase });
      for (const line of secretsWords(status)) context.output.say(line);
      context.output.result(status);
      return EXIT.done;
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
    return EXIT.done;
  },
};

/** The four grades in words: what they protect from, and from whom they do not. */
export function secretsWords({ grade, state, problem, store, offered }: SecretsStatus): readonly string[] {
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

export const secretsCommands: readonly Command[] = [secretsStatus, secretsChoose, secretsForget];
