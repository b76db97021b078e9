import type { BulkTool } from '../../../shared/api/bulk.ts';
import {
  addText,
  type BulkOutcome,
  type CampaignNames,
  changeAmounts,
  changeCase,
  findReplace,
  setCells,
} from '../../../shared/bulk/bulk-change.ts';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { type AnyValues, fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import { fail, ok, type Result, unreachable } from '../../../shared/result.ts';
import type { CellTool, ToolProblem } from './bulk-rows.ts';

/** Calculates the changes of a slice of rows. Called slice by slice, in row order. */
export type CellRun = (rows: readonly AnyRow[]) => BulkOutcome;

export const isCellTool = (tool: BulkTool): tool is CellTool =>
  tool.tool === 'set' ||
  tool.tool === 'replace' ||
  tool.tool === 'append' ||
  tool.tool === 'case' ||
  tool.tool === 'amount' ||
  tool.tool === 'fill-down';

/**
 * Prepares a tool for its rows, or returns what is wrong with it.
 *
 * @param namesOf campaign names of some rows; called only if a text has `[campaign]`
 * @param first the first row of all, from which fill-down takes its values; null if there is none
 */
export function cellRun(
  tool: CellTool,
  first: AnyRow | null,
  profile: DeploymentSettings,
  namesOf: (rows: readonly AnyRow[]) => CampaignNames,
): Result<CellRun, ToolProblem> {
  switch (tool.tool) {
    case 'set':
      return ok((rows) => joined(Object.entries(tool.values).map(([field, value]) => setCells(rows, field, value))));
    case 'replace': {
      const run = findReplace(tool.field, tool, profile);
      if (!run.ok) return fail('BAD_TOOL', run.error);
      return ok((rows) => run.value(rows, asked(tool.replace, rows, namesOf)));
    }
    case 'append':
      return ok((rows) =>
        addText(rows, tool.field, tool, profile, asked(`${tool.before}${tool.after}`, rows, namesOf)),
      );
    case 'case':
      return ok((rows) => changeCase(rows, tool.field, tool.to, profile));
    case 'amount': {
      const { field, expression, rounding = 'nearest' } = tool;
      const run = changeAmounts(field, expression, { ...tool, rounding });
      return run.ok ? run : fail('BAD_TOOL', run.error);
    }
    case 'fill-down': {
      // The first row may be gone since its view was made; then there is no value to fill down.
      if (first === null) return ok(() => ({ changes: [], refused: [] }));
      const values: AnyValues = first.values;
      return ok((rows) => {
        const others = rows.filter((row) => row.id !== first.id);
        return joined(tool.fields.map((field) => setCells(others, field, values[field] ?? null)));
      });
    }
    default:
      return unreachable(tool);
  }
}

/** The fields of a row that the tool reads, or null if it may read any. */
export function fieldsRead(tool: CellTool, kind: Kind): readonly string[] | null {
  const known = (fields: readonly string[]) => fields.filter((field) => fieldSpec(kind, field) !== undefined);
  switch (tool.tool) {
    case 'set':
      return known(Object.keys(tool.values));
    case 'fill-down':
      return known(tool.fields);
    case 'amount':
    case 'case':
      return known([tool.field]);
    case 'replace':
      return tool.replace.includes('[') ? null : known([tool.field]);
    case 'append':
      return `${tool.before}${tool.after}`.includes('[') ? null : known([tool.field]);
    default:
      return unreachable(tool);
  }
}

const asked = (
  text: string,
  rows: readonly AnyRow[],
  namesOf: (rows: readonly AnyRow[]) => CampaignNames,
): CampaignNames => (text.includes('[campaign]') ? namesOf(rows) : new Map());

function joined(outcomes: readonly BulkOutcome[]): BulkOutcome {
  const [only] = outcomes;
  if (only !== undefined && outcomes.length === 1) return only;
  return {
    changes: outcomes.flatMap((outcome) => outcome.changes),
    refused: outcomes.flatMap((outcome) => outcome.refused),
  };
}
