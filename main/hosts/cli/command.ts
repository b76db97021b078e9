import { parseArgs } from 'node:util';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../../shared/api/contract.ts';
import type { WorkspaceId } from '../../../shared/model/scalars.ts';
import type { ActiveAccount } from '../../app/active-accounts.ts';
import type { Core } from '../../app/core.ts';
import { type CliError, type ExitCode, usageError } from './cli-error.ts';
import type { Output } from './output.ts';

export type Client = ContractRouterClient<Contract>;

/** One verb of the command line: it names an operation, maps its options to the input, and prints what came of it. */
export interface Command {
  /** One word, or two for verbs with a noun: `account add`. */
  readonly name: string;
  /** One word that means the same when none of its family follows it, as `report` did before it had one. */
  readonly alias?: string;
  /** What follows the name, as the usage shows it. The options are read from it: see `optionsIn`. */
  readonly takes?: string;
  /** Options that are understood as well, in the same form; no usage shows them. */
  readonly alsoTakes?: string;
  readonly summary: string;
  /** The fewest and the most words beside the options; none when it is left out. */
  readonly positionals?: readonly [number, number];
  /** @returns the exit code; nothing for `done` */
  // biome-ignore lint/suspicious/noConfusingVoidType: a verb that just ends is done
  run(context: Context): Promise<ExitCode | void>;
}

/** What a verb works with. The core starts when it is first asked for. */
export interface Context {
  readonly output: Output;
  readonly positionals: readonly string[];
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** True when somebody sits at a terminal and can be asked. */
  readonly interactive: boolean;
  flag(name: string): boolean;
  text(name: string): string | null;
  /** The option's text; without it the verb stops with a usage message. */
  need(name: string): string;
  core(): Promise<Core>;
  client(): Promise<Client>;
  /** The account of `--account`, or the one that was added first. */
  workspaceId(): Promise<WorkspaceId>;
  /** The contract, and the account that the verb asks it about. */
  atAccount(): Promise<{ readonly client: Client; readonly workspaceId: WorkspaceId }>;
  account(): Promise<ActiveAccount>;
  /**
   * Asks whoever sits at the terminal, unless `--yes` has said so already.
   *
   * @throws otherwise where nobody can be asked
   */
  isConfirmed(question: string, otherwise: CliError): Promise<boolean>;
}

type Options = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>>;

/** Options that every verb takes. */
const EVERYWHERE = {
  data: { type: 'string' },
  account: { type: 'string' },
  'passphrase-file': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

/** The options that a usage names: one with a word behind it takes a text (`[--type T]`), any other is a switch (`[--all]`). */
function optionsIn(usage: string): Options {
  const named = [...usage.matchAll(/--([a-z-]+)( [^\s|()[\]-][^\s|()[\]]*)?/g)];
  return Object.fromEntries(
    named.map(([, name, value]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  );
}

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
  const { values: options, positionals: given } = parse(command, args);
  // A variable of a script that is not set: as a folder it would mean the one this was started in.
  const empty = Object.keys(EVERYWHERE).find((name) => options[name] === '');
  if (empty !== undefined) throw usageError(`--${empty} is empty. Name what is meant, or leave the option out.`);
  const isCalledInFull = command.alias === undefined || words.slice(0, 2).join(' ') === command.name;
  const positionals = given.slice(isCalledInFull ? command.name.split(' ').length : 1);
  const [min, max] = command.positionals ?? [0, 0];
  if (options['help'] !== true && (positionals.length < min || positionals.length > max)) {
    throw usageError(`Write: ${usageOf(command)}`);
  }
  return { command, options, positionals };
}

/** A word behind an option of every verb is no verb, even when it stands first. */
function isValueOfGlobal(args: readonly string[], at: number): boolean {
  const before = args[at - 1];
  return before === '--data' || before === '--account' || before === '--passphrase-file';
}

function parse(
  command: Command,
  args: readonly string[],
): { readonly values: Invocation['options']; readonly positionals: readonly string[] } {
  const options = { ...optionsIn(`${command.takes ?? ''} ${command.alsoTakes ?? ''}`), ...EVERYWHERE };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
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
  if (family.length === 0) return 'Run "adslate --help" for a list of commands.';
  return `Write one of: ${family.map((command) => command.name).join(', ')}.`;
}

export const usageOf = ({ name, takes = '' }: Command): string => `adslate ${name} ${takes}`.trimEnd();

export function helpText(commands: readonly Command[], command: Command | null): string {
  if (command !== null) return `${usageOf(command)}\n\n${command.summary}\n\n${EVERYWHERE_TEXT}`;
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `adslate <verb> [--data DIR] [--account NAME] [--json]\n\n${lines.join('\n')}\n\n${EVERYWHERE_TEXT}`;
}

const EVERYWHERE_TEXT = `Everywhere: --data DIR (where everything is kept), --account NAME, --json (one object on standard output), --help,
--passphrase-file FILE (opens the secrets of accounts that a passphrase seals).
Exit: 0 done; 1 findings or refusals; 2 usage; 3 needs you; 4 service unreachable; 5 workspace busy, damaged or not to be written.`;
