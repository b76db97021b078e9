import { parseArgs } from 'node:util';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../../shared/api/contract.ts';
import type { WorkspaceId } from '../../../shared/model/scalars.ts';
import type { ActiveAccount } from '../../core/active-accounts.ts';
import type { Core } from '../../core/core.ts';
import { type CliError, type ExitCode, usageError } from './cli-error.ts';
import type { Output } from './output.ts';

export type Client = ContractRouterClient<Contract>;

/**
 * One command: it maps its options to the input of an operation, and prints the result. Commands for what no window may do, such
 * as paths and team administration, call other folders of main.
 */
export interface Command {
  /** One word, or two for commands with a noun: `account add`. */
  readonly name: string;
  /** A word that may follow the name and changes nothing, as in `report fetch`. */
  readonly alias?: string;
  /** Usage of arguments, and of options that are required or exclude each other; all others are `[options]`. */
  readonly takes?: string;
  /** What the command does: one sentence in the third person. */
  readonly purpose: string;
  /**
   * Each argument and option with its explanation, as printed in the help. An option with a placeholder takes a text
   * (`--type TYPE`), or several when the placeholder ends in `...`; any other is a switch (`--all`). Other options are
   * refused.
   */
  readonly parameters?: Readonly<Record<string, string>>;
  /** A line that can be typed as it is. */
  readonly example: string;
  /** Minimum and maximum number of arguments besides options; none if absent. */
  readonly positionals?: readonly [number, number];
  /** @returns the exit code; nothing for `done` */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command that just ends is done
  run(context: Context): Promise<ExitCode | void>;
}

/** The environment of a command. The core starts on first use. */
export interface Context {
  readonly output: Output;
  readonly positionals: readonly string[];
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** True at a terminal, where the user can be asked to confirm. */
  readonly interactive: boolean;
  flag(name: string): boolean;
  text(name: string): string | null;
  /** The texts of an option that can be given more than once. */
  texts(name: string): readonly string[];
  /** The option's text; without it the command ends with a usage message. */
  need(name: string): string;
  core(): Promise<Core>;
  client(): Promise<Client>;
  /** The account of `--account`, or the one that was added first. */
  workspaceId(): Promise<WorkspaceId>;
  /** The contract, and the account of the command. */
  atAccount(): Promise<{ readonly client: Client; readonly workspaceId: WorkspaceId }>;
  account(): Promise<ActiveAccount>;
  /**
   * Asks the user at the terminal, unless `--yes` is given.
   *
   * @throws `otherwise` without a terminal
   */
  isConfirmed(question: string, otherwise: CliError): Promise<boolean>;
}

/**
 * Reads all pages of a list of the contract.
 *
 * @param name name of the entries in a page
 * @param read reads the page that begins at this entry
 * @returns the last page, with the entries of all
 */
export async function readPages<
  Name extends string,
  Page extends { readonly total: number } & Readonly<Record<Name, readonly unknown[]>>,
>(name: Name, read: (from: number) => Promise<Page>): Promise<Page> {
  const all: unknown[] = [];
  for (;;) {
    const page = await read(all.length);
    all.push(...page[name]);
    if (page[name].length === 0 || all.length >= page.total) return { ...page, [name]: all };
  }
}

type Options = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string; readonly multiple?: boolean }>
>;

/** Options of every command. */
const GLOBAL_OPTIONS = {
  data: { type: 'string' },
  account: { type: 'string' },
  'passphrase-file': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

const isOption = (parameter: string): boolean => parameter.startsWith('--');

function optionsOf({ parameters = {} }: Command): Options {
  const options = Object.keys(parameters)
    .filter(isOption)
    .map((parameter) => parameter.slice('--'.length).split(' '));
  return Object.fromEntries(
    options.map(([name = '', value]): [string, Options[string]] => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: value?.endsWith('...') === true },
    ]),
  );
}

export interface Invocation {
  readonly command: Command | null;
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

/** Finds the command and reads its options; `command` is null when only help was asked for. */
export function readArguments(commands: readonly Command[], args: readonly string[]): Invocation {
  const words = args.filter((word, at) => !word.startsWith('-') && !isValueOfGlobal(args, at));
  const command = findCommand(commands, words);
  if (command === null) {
    if (words.length === 0) return { command: null, options: { help: true }, positionals: [] };
    throw usageError(`Unknown command "${words.slice(0, 2).join(' ')}". ${nearest(commands, words[0] ?? '')}`);
  }
  const { values: options, positionals: given } = parse(command, args);
  // A variable of a script that is not set: as a folder it would mean the one this was started in.
  const empty = Object.keys(GLOBAL_OPTIONS).find((name) => options[name] === '');
  if (empty !== undefined) throw usageError(`--${empty} is empty. Enter a value, or remove the option.`);
  const isCalledInFull = command.alias === undefined || words.slice(0, 2).join(' ') === command.name;
  const positionals = given.slice(isCalledInFull ? command.name.split(' ').length : 1);
  const [min, max] = command.positionals ?? [0, 0];
  if (options['help'] !== true && (positionals.length < min || positionals.length > max)) {
    throw usageError(`Run "${usageOf(command)}".`);
  }
  return { command, options, positionals };
}

/** The value of a global option is not a command, even as the first word. */
function isValueOfGlobal(args: readonly string[], at: number): boolean {
  const before = args[at - 1];
  return before === '--data' || before === '--account' || before === '--passphrase-file';
}

function parse(
  command: Command,
  args: readonly string[],
): { readonly values: Invocation['options']; readonly positionals: readonly string[] } {
  const options = { ...optionsOf(command), ...GLOBAL_OPTIONS };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(
      `${error.message.split('. ')[0]}. Run "${usageOf(command)}". "adslate ${command.name} --help" lists all options.`,
    );
  }
}

function findCommand(commands: readonly Command[], words: readonly string[]): Command | null {
  const [one] = words;
  const named = (count: number) => commands.find(({ name }) => name === words.slice(0, count).join(' '));
  return (
    named(3) ??
    named(2) ??
    commands.find((command) => one !== undefined && (command.name === one || command.alias === one)) ??
    null
  );
}

function nearest(commands: readonly Command[], noun: string): string {
  const family = commands.filter((command) => command.name.startsWith(`${noun} `));
  if (family.length === 0) return 'Run "adslate --help" for a list of commands.';
  return `Did you mean: ${family.map((command) => command.name).join(', ')}?`;
}

/** The one line of usage. */
export function usageOf({ name, takes = '', parameters = {} }: Command): string {
  const hasOthers = Object.keys(parameters).some(
    (parameter) => isOption(parameter) && !takes.includes(parameter.split(' ')[0] ?? ''),
  );
  return `adslate ${name} ${takes} ${hasOthers ? '[options]' : ''}`.replace(/ +/g, ' ').trimEnd();
}

/** The help of one command, or the list of all. */
export function helpText(commands: readonly Command[], command: Command | null): string {
  if (command === null) {
    const list = linesOf(
      commands.map(({ name, purpose }) => [name, purpose]),
      NAME_WIDTH,
    );
    const options = linesOf(Object.entries(GLOBAL_TEXTS));
    return `adslate COMMAND [options]\n\n${list}\n\nOptions of every command:\n${options}\n\n${EXIT_TEXT}`;
  }
  const parameters = Object.entries(command.parameters ?? {});
  return [
    usageOf(command),
    command.purpose,
    ...(parameters.length === 0 ? [] : [linesOf(parameters)]),
    `Example: ${command.example}`,
    GLOBAL_LINE,
  ].join('\n\n');
}

/** Few commands have three words; for those, the purpose follows without padding. */
const NAME_WIDTH = 18;

function linesOf(lines: readonly (readonly [string, string])[], most = 100): string {
  const width = Math.min(most, Math.max(...lines.map(([word]) => word.length)));
  return lines.map(([word, text]) => `  ${word.padEnd(width)}  ${text}`).join('\n');
}

const GLOBAL_TEXTS = {
  '--data DIR': 'Data folder. Without it, the folder of the desktop app is used.',
  '--account NAME': 'Account. Without it, the first account is used.',
  '--passphrase-file FILE': 'Unlocks credentials that are encrypted with a passphrase.',
  '--json': 'Prints one JSON object on standard output.',
  '--help': 'Shows the options and an example of a command.',
};

const GLOBAL_LINE = `Options of every command: --data DIR, --account NAME, --passphrase-file FILE, --json, --help.
"adslate --help" explains them and the exit codes.`;

const EXIT_TEXT = `Exit codes: 0 done; 1 issues or failures; 2 usage; 3 needs your decision; 4 service unreachable;
5 account in use or damaged, or data folder not writable; 70 internal error.`;
