import type { Command } from '../command.ts';
import { readFindings } from '../findings.ts';
import { EXIT } from '../stop.ts';
import { counted } from '../table.ts';
import { wordOf } from '../words.ts';

/** Lines shown to people; `--json` gives all. */
const SHOWN_LINES = 200;
const ORDER = { error: 0, warning: 1, advice: 2 } as const;

export const checkCommand: Command = {
  name: 'check',
  takes: '[--all] [--look-up]',
  summary:
    'Says what the service would refuse and what could be better, row by row; --look-up first asks the item search about new items. Exit 1 when there are errors.',
  options: { all: { type: 'boolean' }, 'look-up': { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { output } = context;
    const { client, workspaceId } = await context.atAccount();
    if (context.flag('look-up')) await client.items.confirm({ workspaceId });
    const { counts, findings } = await readFindings(client, workspaceId);
    const { lines } = await context.account();
    const lineOf = await lines.read();
    const sorted = findings.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
    const limit = context.flag('all') ? sorted.length : SHOWN_LINES;
    for (const finding of sorted.slice(0, limit)) {
      const line = lineOf(finding.kind, finding.id);
      const place = [finding.campaign, line === null ? '' : `line ${line}`].filter((part) => part !== '').join(', ');
      output.say(`${finding.severity}: ${place === '' ? '' : `${place}: `}${finding.message}`);
    }
    if (sorted.length > limit) output.say(`... and ${sorted.length - limit} more; --all shows them.`);
    output.say(
      `${counted(counts.error, 'error')}, ${counted(counts.warning, 'warning')}, ${counts.advice} advice.${counts.error > 0 ? ' Rows with errors are not sent.' : ''}`,
    );
    output.result({
      counts,
      findings: sorted.map((finding) => ({
        rule: finding.rule,
        severity: finding.severity,
        type: wordOf(finding.kind),
        campaign: finding.campaign,
        row: lineOf(finding.kind, finding.id),
        field: finding.field,
        message: finding.message,
      })),
    });
    return counts.error > 0 ? EXIT.refused : EXIT.done;
  },
};
