import type { FaultRow } from './fault-row.ts';
import { HOSTILE_ANSWERS, type HostileAnswer } from './hostile-answers.ts';
import { FAULT_ROWS, OPEN_ROWS } from './rows.ts';
import { SERVICE_ROWS, SERVICE_TESTS } from './service-rows.ts';

/** `docs/faults.md` as the table has it. */
export function faultsDocument(): string {
  const areas: readonly [FaultRow['area'], string][] = [
    ['file', 'Workspace files'],
    ['text', 'Names and texts'],
    ['import', 'Imports'],
    ['machine', 'Machine and user'],
    ['answer', 'Answers that are no use'],
  ];
  const parts = areas.map(([area, title]) => {
    const rows = FAULT_ROWS.filter((row) => row.area === area);
    const lines = rows.map(
      ({ id, fault, outcome, shown }) => `| ${id} | ${cell(fault)} | ${cell(outcome)} | \`${shown[0]}\` |`,
    );
    return `## ${title} (${rows.length})\n\n| | fault | what happens | shown by |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  const open = OPEN_ROWS.map(({ id, fault, why }) => `| ${id} | ${cell(fault)} | ${cell(why)} |`);
  return `# What goes wrong, and what happens then

${FAULT_ROWS.length} faults with a case each. This page is made from \`test/faults/rows.ts\` by \`node test/faults/main.ts\`; a test fails when a row has no
case, when a case has no row, or when this page is not what the table says.

${parts.join('\n')}
${serviceDocument()}
${notMet(open)}`;
}

function notMet(lines: readonly string[]): string {
  if (lines.length === 0) return 'Every row of the table is met.\n';
  return `## Not met yet (${lines.length})\n\n| | fault | what is missing |\n|---|---|---|\n${lines.join('\n')}\n`;
}

/** Each hostile answer is played twice: for what a read can show, and for what no read shows. */
const PLAYED = 2;
const BECOMES: Readonly<Record<HostileAnswer['becomes'], string>> = {
  done: 'taken as what it means',
  doubt: 'in doubt: found by a read, or asked about',
  refused: 'told as refused, sent again by the next sync',
  later: 'sent again by the same sync, when it may',
  'rate-limited': 'the run ends and says until when; sent again by a later sync',
  credentials: 'the run ends and asks for credentials; nothing is lost',
  security: 'the run ends; nothing goes elsewhere',
};

/** Rows about the service, the network and media, with every case that plays them, and the cases beyond the table. */
function serviceDocument(): string {
  const numberOf = (id: string): number => Number.parseInt(id, 10);
  const answers = HOSTILE_ANSWERS.filter(({ id }) => !id.startsWith('S'));
  const own = HOSTILE_ANSWERS.filter(({ id }) => id.startsWith('S'));
  const answerLine = ({ id, what, becomes }: HostileAnswer): string =>
    `| ${id} | ${cell(what)} | ${BECOMES[becomes]} | \`test/faults/hostile-answers.test.ts\` |`;
  const lines = SERVICE_ROWS.flatMap((row) => [
    ...answers.filter(({ id }) => numberOf(id) === row).map(answerLine),
    ...(SERVICE_TESTS[row] ?? []).map(
      ([file, title]) => `| ${row} | ${cell(bare(title))} | as the case says | \`${file}\` |`,
    ),
  ]);
  const tests = SERVICE_ROWS.reduce((sum, row) => sum + (SERVICE_TESTS[row]?.length ?? 0), 0);
  const cases = answers.length * PLAYED + tests;
  const head = '| | case | what happens | shown by |\n|---|---|---|---|';
  return `## Service, network and media (${SERVICE_ROWS.length} rows, ${cases} cases)

${head}
${lines.join('\n')}

## Answers of the service beyond the table (${own.length} answers, ${own.length * PLAYED} cases)

Each is given once to a request whose result a read can show, and once to one that no read shows.

${head}
${own.map(answerLine).join('\n')}
`;
}

const bare = (title: string): string => title.replace(/^fault \d+: /, '');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
