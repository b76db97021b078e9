import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { os } from './answers.ts';
import { aRow } from './examples.ts';

const MANY = 1_000_000;
const manyRows = (from: number, count: number): WindowRow[] =>
  Array.from({ length: Math.max(0, Math.min(count, MANY - from)) }, (_, i) => {
    const number = from + i + 1;
    const cells = { text: `kettle ${number}`, matchType: 'exact', bid: 165, state: 'enabled' };
    return aRow('keyword', cells, { id: asRowId(number) });
  });
/** Answers of an account whose keywords are made as they are asked for, so that many cost no more than those in view. */
export const A_MILLION_ROWS = {
  workspace: {
    openView: os.workspace.openView.handler(({ input: { window } }) => ({
      viewId: 1,
      length: MANY,
      revision: 1,
      rows: window === undefined ? [] : manyRows(window.from, window.count),
    })),
    readWindow: os.workspace.readWindow.handler(({ input: { from, count } }) => ({
      rows: manyRows(from, count),
      length: MANY,
      revision: 1,
      stale: false,
    })),
  },
};
