import type { Command } from '../command.ts';
import { EXIT } from '../stop.ts';
import { counted } from '../table.ts';

const MIB = 2 ** 20;

export const statusCommand: Command = {
  name: 'status',
  takes: '',
  summary:
    'Says how the account stands: what differs from the service, what the check found, what only you can settle, what the service still takes in this hour, and whether the disk runs full.',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async ({ output, atAccount }) => {
    const { client, workspaceId } = await atAccount();
    const { changed, held, findings, conflicts, questions, lastRefreshAt } = await client.workspace.summary({
      workspaceId,
    });
    const { budgetLeft, budgetPerHour, limitedUntil, lowSpaceBytes } = await client.standing.get({ workspaceId });
    const readAt = lastRefreshAt === null ? null : new Date(lastRefreshAt).toISOString();
    output.say(`${counted(changed, 'row')} changed here, ${held} held back.`);
    output.say(`${counted(findings.error, 'error')}, ${counted(findings.warning, 'warning')}.`);
    output.say(`${counted(conflicts, 'conflict')}, ${counted(questions, 'question')}.`);
    output.say(`The service takes ${budgetLeft} of ${budgetPerHour} elements in this hour.`);
    const rateLimitedUntil = limitedUntil === null ? null : new Date(limitedUntil).toISOString();
    if (rateLimitedUntil !== null) {
      output.say(
        `Rate limited: the service has asked for no further requests until ${rateLimitedUntil}. "adslate sync" tries all the same.`,
      );
    }
    output.say(readAt === null ? 'The service has never been read.' : `Last read from the service at ${readAt}.`);
    if (lowSpaceBytes !== null) {
      output.say(`Only ${Math.floor(lowSpaceBytes / MIB)} MiB are free on the disk of this account. Make room soon.`);
    }
    const figures = { changed, held, errors: findings.error, warnings: findings.warning, conflicts, questions };
    output.result({ ...figures, budgetLeft, budgetPerHour, lastRefreshAt: readAt, lowSpaceBytes, rateLimitedUntil });
    return conflicts + questions > 0 ? EXIT.needsUser : EXIT.done;
  },
};
