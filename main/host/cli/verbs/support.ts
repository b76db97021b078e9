import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { EXIT, Stop } from '../stop.ts';

/** Shows the text for somebody who helps, or writes it to a file that is not there yet. */
export const supportCommand: Command = {
  name: 'support',
  takes: '[FILE]',
  summary: 'Shows versions and the end of the log for somebody who helps; no names, paths or secrets are in it.',
  options: {},
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const support = await (await context.client()).app.support();
    const [file] = context.positionals;
    if (file === undefined) context.output.say(support.text);
    else {
      await writeFile(resolve(file), support.text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error)) throw error;
        throw new Stop(EXIT.refused, 'BAD_FILE', `${file} cannot be written. Name a file that is not there yet.`);
      });
      context.output.say(`Written to ${file}. Read it before you hand it on.`);
    }
    context.output.result(support);
    return EXIT.done;
  },
};
