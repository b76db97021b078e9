import { differenceText } from '../../../../shared/profile/profile-text.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../stop.ts';

export const profileCommand: Command = {
  name: 'profile',
  takes: '[--all]',
  summary:
    'Shows in which limits, words and switches this deployment of the service differs from the usual one; --all shows every one.',
  options: { all: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { output } = context;
    const client = await context.client();
    const { text, differences } = await client.accounts.profile({ workspaceId: await context.workspaceId() });
    if (context.flag('all')) output.say(text.trimEnd());
    else if (differences.length === 0) output.say('Everything is as usual.');
    else output.say(differenceText(differences).trimEnd());
    output.result({ text, differences });
    return EXIT.done;
  },
};
