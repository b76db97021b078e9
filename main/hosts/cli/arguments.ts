import { parseArgs } from 'node:util';
import { usageError } from './cli-error.ts';
import type { Command, Options } from './command.ts';

/** Options that every verb takes. */
const EVERYWHERE = {
  data: { type: 'string' },
  account: { type: 'string' },
  'passphrase-file': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

export interface Invocation {
  readonly command: Command | null;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/** Finds the verb and reads its options; `command` is null when only help was asked for. */
export function readArguments(commands: readonly Command[], args: readonly string[]): Invocation {
  const words = args.filter((word, at) => !word.startsWith('-') && !isValueOfGlobal(args, at));
  const command = findCommand(commands, words);
  if (command === null) {
    if (words.length === 0) return { command: null, options: { help: true }, positionals: [] };
    throw usageError(`Adslate knows no "${words.slice(0, 2).join(' ')}". ${nearest(commands, words[0] ?? '')}`);
  }
  const parsed = parse(command, args);
  // A variable of a script that is not set: as a folder it would mean the one this was started in.
  const given: Readonly<Record<string, unknown>> = parsed.values;
  const empty = Object.keys(EVERYWHERE).find((name) => given[name] === '');
  if (empty !== undefined) throw usageError(`--${empty} is empty. Name what is meant, or leave the option out.`);
  const isCalledInFull = command.alias === undefined || words.slice(0, 2).join(' ') === command.name;
  const positionals = parsed.positionals.slice(isCalledInFull ? command.name.split(' ').length : 1);
  const { min, max } = command.positionals;
  const asksHelp = parsed.values['help'] === true;
  if (!asksHelp && (positionals.length < min || positionals.length > max)) {
    throw usageError(`Write: ${usageOf(command)}`);
  }
  return { command, options: parsed.values, positionals };
}

/** A word behind an option of every verb is no verb, even when it stands first. */
function isValueOfGlobal(args: readonly string[], at: number): boolean {
  const before = args[at - 1];
  return before === '--data' || before === '--account' || before === '--passphrase-file';
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...EVERYWHERE, ...command.options },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(`${error.message.split('. ')[0]}. Write: ${usageOf(command)}`);
  }
}

function findCommand(commands: readonly Command[], words: readonly string[]): Command | null {
  const [one] = words;
  const two = words.slice(0, 2).join(' ');
  return (
    commands.find((command) => command.name === two) ??
    commands.find((command) => one !== undefined && (command.name === one || command.alias === one)) ??
    null
  );
}

function nearest(commands: readonly Command[], noun: string): string {
  const family = commands.filter((command) => command.name.startsWith(`${noun} `));
  if (family.length === 0) return 'Write "adslate --help" to see what it knows.';
  return `Write one of: ${family.map((command) => command.name).join(', ')}.`;
}

export const usageOf = (command: Command): string => `adslate ${command.name} ${command.takes}`.trimEnd();

export function helpText(commands: readonly Command[], command: Command | null): string {
  if (command !== null) return `${usageOf(command)}\n\n${command.summary}\n\n${EVERYWHERE_TEXT}`;
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `adslate <verb> [--data DIR] [--account NAME] [--json]\n\n${lines.join('\n')}\n\n${EVERYWHERE_TEXT}`;
}

const EVERYWHERE_TEXT = `Everywhere: --data DIR (where everything is kept), --account NAME, --json (one object on standard output), --help,
--passphrase-file FILE (opens the secrets of accounts that a passphrase seals).
Exit: 0 done; 1 findings or refusals; 2 usage; 3 needs you; 4 service unreachable; 5 workspace busy, damaged or not to be written.`;
