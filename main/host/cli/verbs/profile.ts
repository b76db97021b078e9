import { differenceText } from '../../../../shared/profile/profile-text.ts';
import type { Command, Context } from '../command.ts';
import { readNamedFile } from '../named-file.ts';
import { EXIT, usageStop } from '../stop.ts';

/** Every limit and word of a deployment takes a few kilobytes. */
const BYTES_MAX = 1024 * 1024;

export const profileCommand: Command = {
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
    return EXIT.done;
  },
};

/** The text to set; null when the profile is only shown. */
async function wantedText(context: Context): Promise<string | null> {
  if (context.flag('reset')) return '';
  const path = context.text('set');
  if (path === null) return null;
  const read = await readNamedFile(path, BYTES_MAX);
  if (!read.ok) throw usageStop(`The profile ${path} cannot be read (${read.error.why}).`);
  return read.value.toString('utf8');
}
