import type { WatchedFolder } from '../../../../shared/api/watched-folder.ts';
import { dropText, folderText, parsePatterns } from '../../../../shared/media/watched-files.ts';
import { EXIT_CODE, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { counted } from '../output.ts';

/** Lines shown to people; `--json` gives the newest 500. */
const SHOWN_LINES = 40;

const folderCommand: Command = {
  name: 'folder status',
  alias: 'folder',
  purpose: 'Shows the watched folder and what became of each file in it.',
  example: 'adslate folder status',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    show(context, await client.watchedFolder.state({ workspaceId }));
  },
};

const setCommand: Command = {
  name: 'folder set',
  takes: '[PATH]',
  purpose: 'Switches the watched folder on, and sets its place and its name patterns.',
  parameters: {
    PATH: 'Folder to watch. Without it, the folder of the account is used.',
    '--patterns LIST': 'Name patterns, separated by semicolons: "{campaign}_{creative}.mp4".',
    '--polling': 'Looks for changes every few seconds, for a network share.',
    '--off': 'Switches the watched folder off.',
  },
  example: 'adslate folder set ./from-agency --patterns "{campaign}_{creative}.*;{campaign}.*"',
  positionals: [0, 1],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    if (context.flag('off')) return show(context, await client.watchedFolder.set({ workspaceId, on: false }));
    const [path] = context.positionals;
    const { grants } = await context.core();
    const folder = path === undefined ? null : await grants.grantFolder(path);
    if (path !== undefined && folder === null)
      throw refused(
        'NO_FOLDER',
        `${path} is not a folder that can be read. Check the path, then run the command again.`,
      );
    const patterns = context.text('patterns')?.replaceAll(';', '\n');
    return show(
      context,
      await client.watchedFolder.set({
        workspaceId,
        on: true,
        polling: context.flag('polling'),
        folder: folder?.grant ?? null,
        ...(patterns === undefined ? {} : { patterns }),
      }),
    );
  },
};

const takeCommand: Command = {
  name: 'folder take',
  purpose: 'Attaches the files of the watched folder to drafts and sends nothing.',
  parameters: { '--again': 'Tries files again that were not attached.' },
  example: 'adslate folder take',
  run: async (context) => {
    const { watched } = await context.account();
    if (!watched.state().on) throw usageError('The watched folder is off. Run "adslate folder set" first.');
    const { state, taken } = await watched.takeSettled(context.flag('again'));
    show(context, state);
    return taken.some(({ outcome }) => outcome === 'refused' || outcome === 'not-attached')
      ? EXIT_CODE.refused
      : EXIT_CODE.done;
  },
};

const testCommand: Command = {
  name: 'folder test',
  takes: 'NAME...',
  purpose: 'Shows to which campaign files of these names would be attached.',
  parameters: {
    NAME: 'Name of a file; the file need not exist.',
    '--patterns LIST': 'Patterns to try, separated by semicolons. Without it, the saved ones.',
  },
  example: 'adslate folder test "Garden hose video_spring.mp4"',
  positionals: [1, 50],
  run: async (context) => {
    const { watched } = await context.account();
    const parsed = parsePatterns(context.text('patterns')?.replaceAll(';', '\n') ?? watched.state().patterns);
    if (!parsed.ok) throw usageError(folderText(parsed.error));
    const names = await watched.test(parsed.value, context.positionals);
    const told = names.map((each) => ({ ...each, problem: each.problem === null ? null : folderText(each.problem) }));
    for (const { name, campaign, creative, problem } of told) {
      context.output.say(
        `${name}: ${problem ?? `campaign "${campaign}"${creative === null ? '' : `, creative "${creative}"`}.`}`,
      );
    }
    context.output.result({ names: told });
    return names.some(({ problem }) => problem !== null) ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

function show({ output }: Context, state: WatchedFolder): void {
  output.say(`Watched folder: ${state.on ? `on (${state.folder})` : 'off'}.`);
  if (state.problem !== null) output.say(folderText(state.problem));
  output.say(state.patterns.split('\n').map((pattern) => `  ${pattern}`));
  const drops = state.drops.map(({ message, ...drop }) => ({ ...drop, text: dropText(drop.outcome, message) }));
  for (const { fileName, text } of drops.slice(0, SHOWN_LINES)) output.say(`${fileName}: ${text}`);
  output.say(
    `${counted(state.total, 'file')} listed${state.arriving > 0 ? `, ${state.arriving} still arriving` : ''}.`,
  );
  output.result({ ...state, drops });
}

export const folderCommands: readonly Command[] = [folderCommand, setCommand, takeCommand, testCommand];
