import { FAULT_ROWS, type FaultRow, OPEN_ROWS } from './rows.ts';

/** `docs/faults.md` as the table has it. */
export function faultsDocument(): string {
  const areas: readonly [FaultRow['area'], string][] = [
    ['file', 'Workspace files'],
    ['import', 'Imports'],
    ['machine', 'Machine and user'],
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
## Not met yet (${OPEN_ROWS.length})

| | fault | what is missing |
|---|---|---|
${open.join('\n')}
`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
