import { implement } from '@orpc/server';
import { type Change, workspaceContract } from '../../shared/contract/workspace.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import type { Finding } from '../../shared/rules/finding.ts';
import type { MemoryAccount } from './memory-account.ts';
import { cellOf, dirtyOf } from './memory-rows.ts';

/** Rows, their edits and what is found about them, from memory. */
export function memoryWorkspace(account: MemoryAccount) {
  const os = implement(workspaceContract);
  return {
    summary: os.summary.handler(() => ({
      revision: account.revision(),
      rows: counts(account),
      changed: account.rows().filter((row) => dirtyOf(row) !== 0).length,
      held: account.rows().filter((row) => row.held).length,
      conflicts: 0,
      questions: 0,
      findings: { error: account.findings(null).length, warning: 0, advice: 0 },
      undo: account.undoLabel(),
      redo: account.redoLabel(),
      lastRefreshAt: null,
    })),
    openView: os.openView.handler(({ input: { view, window } }) => {
      const opened = account.openView(view);
      const page = window === undefined ? null : account.window(opened.viewId, window.from, window.count);
      return { ...opened, rows: page?.rows ?? [] };
    }),
    readWindow: os.readWindow.handler(({ input, errors }) => {
      const page = account.window(input.viewId, input.from, input.count);
      if (page === null) throw errors.NO_VIEW({ data: { viewId: input.viewId } });
      return page;
    }),
    closeView: os.closeView.handler(() => ({})),
    row: os.row.handler(({ input, errors }) => {
      const row = account.find(input.ref.kind, input.ref.id);
      if (row === undefined) throw errors.NO_ROW({ data: input.ref });
      const findings = account.findings(null).filter(({ kind, id }) => kind === row.kind && id === row.id);
      return {
        row: account.shown(row),
        kind: row.kind,
        base: row.base === null ? null : [...row.base],
        findings: findings.map(withoutPlace),
        refusal: null,
        impacts: { bid: { cost: 'immediate' as const, message: null } },
      };
    }),
    rowFindings: os.rowFindings.handler(({ input }) => {
      const asked = new Set<number>(input.ids);
      const findings = account.findings(null).filter(({ kind, id }) => kind === input.kind && asked.has(id));
      return { findings: findings.map(withoutPlace) };
    }),
    edit: os.edit.handler(({ input }) => account.edit(input.label, input.changes)),
    create: os.create.handler(({ input }) => account.create(input.label, input.rows)),
    remove: os.remove.handler(({ input }) => account.remove(input.rows)),
    revert: os.revert.handler(({ input }) => account.revert(input.rows)),
    hold: os.hold.handler(({ input }) => account.hold(input.rows, input.held)),
    undo: os.undo.handler(({ errors }) => {
      const done = account.step(true);
      if (done === null) throw errors.NOTHING_TO_DO({ data: {} });
      return done;
    }),
    redo: os.redo.handler(({ errors }) => {
      const done = account.step(false);
      if (done === null) throw errors.NOTHING_TO_DO({ data: {} });
      return done;
    }),
    history: os.history.handler(() => {
      const steps = account.history().map(({ step, undone }, i) => ({
        id: i + 1,
        label: step.label,
        at: 1_780_000_000_000,
        rows: 1,
        undone,
        source: 'user',
        who: 'ada',
        previous: i,
      }));
      return { total: steps.length, steps: steps.toReversed() };
    }),
    findings: os.findings.handler(({ input }) => {
      const all = account.findings(input.campaignId);
      const list = input.rule === null ? all : all.filter(({ rule }) => rule === input.rule);
      return {
        total: list.length,
        counts: { error: all.length, warning: 0, advice: 0 },
        // All that memory finds is of one rule, and has a fix.
        rules: all
          .slice(0, 1)
          .map(({ rule, severity }) => ({ rule, severity, found: all.length, fixable: all.length })),
        findings: list.slice(input.from, input.from + input.count),
      };
    }),
    changes: os.changes.handler(() => {
      const changes = account.rows().flatMap((row): Change[] => {
        const shown = account.shown(row);
        const shared = {
          kind: row.kind,
          id: shown.id,
          campaignId: shown.campaignId,
          campaignName: shown.campaignName,
        };
        const label = String(cellOf(row, 'text') ?? cellOf(row, 'itemId') ?? cellOf(row, 'name') ?? '');
        const stands = { held: row.held, lane: row.held ? ('held' as const) : ('ready' as const) };
        if (row.base === null) {
          return [{ ...shared, label, what: 'new' as const, field: null, before: null, after: null, ...stands }];
        }
        const bid = cellOf(row, 'bid');
        const before = row.base[row.cells.indexOf(bid)] ?? null;
        if (dirtyOf(row) === 0 || before === bid) return [];
        return [{ ...shared, label, what: 'field' as const, field: 'bid', before, after: bid, ...stands }];
      });
      return { total: changes.length, lanes: lanesOf(changes), changes };
    }),
  };
}

/** Nothing is sent from memory: a change is ready, or held. */
function lanesOf(changes: readonly Change[]): Record<Change['lane'], number> {
  const held = changes.filter((change) => change.held).length;
  return { ready: changes.length - held, queued: 0, 'after-review': 0, blocked: 0, held };
}

function counts(account: MemoryAccount): Record<Kind, number> {
  const entries = KINDS.map((kind) => [kind, account.rows().filter((row) => row.kind === kind).length] as const);
  return Object.fromEntries(entries) as Record<Kind, number>;
}

function withoutPlace(found: ReturnType<MemoryAccount['findings']>[number]): Finding {
  const { rule, severity, kind, id, campaignId, field, params, fix } = found;
  return { rule, severity, kind, id, campaignId, field, params, fix };
}
