import type { z } from 'zod';
import { CampaignTemplate, SwapsText, TEMPLATES_MAX } from '../../shared/api/campaigns.ts';
import { ChosenColumn as ChosenShape } from '../../shared/api/files.ts';
import { SWAPS_MAX } from '../../shared/api/limits.ts';
import type { Failure } from '../../shared/api/operation.ts';
import { type UserRule, UserRuleSchema } from '../../shared/api/rules.ts';
import { readableOf } from '../../shared/api/scalars.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { Swap } from '../../shared/lifecycle/swap.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { compareNames } from '../../shared/model/text.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { parseUserRule, USER_RULES_MAX } from '../../shared/rules/custom-rules.ts';
import { ruleById } from '../../shared/rules/registry.ts';
import { createSerialQueues } from '../../shared/serial-queue.ts';
import { type ChosenColumn, rememberColumns } from '../../shared/spreadsheet/column-mapping.ts';
import { MUTED_RULES_KEY, TEMPLATES_KEY, USER_RULES_KEY } from './rows/rule-settings.ts';
import type { TellUnread } from './types.ts';
import type { Workspace } from './workspace.ts';

/** Settings of a workspace. They are stored in the workspace file, so that backups include them. */
type Settings = Pick<Workspace, 'getMeta' | 'setMeta'>;

/**
 * A short list stored under one key of a workspace, so that backups include it. Changes run one after the other: each
 * starts from what the one before wrote.
 */
export interface PersistedList<T> {
  read(): Promise<readonly T[]>;
  /** @returns the list after the change */
  change(next: (known: readonly T[]) => readonly T[]): Promise<readonly T[]>;
  /** Like `change`, for a change that may be refused; then the list is unchanged. */
  tryChange<E>(next: (known: readonly T[]) => Result<readonly T[], E>): Promise<Result<readonly T[], E>>;
}

/** One queue for each workspace, because several lists of the same key may be created for it. */
const turnsOf = createSerialQueues();

/** @param parse reads the text stored under the key; null in a workspace before the first change */
export function createPersistedList<T>(
  workspace: Settings,
  key: string,
  parse: (text: string | null) => readonly T[],
  print: (list: readonly T[]) => string = JSON.stringify,
): PersistedList<T> {
  const inTurn = turnsOf(workspace);
  const read = async (): Promise<readonly T[]> => parse(await workspace.getMeta(key));
  const write = async (list: readonly T[]): Promise<readonly T[]> => {
    await workspace.setMeta(key, print(list));
    return list;
  };
  return {
    read,
    change: (next) => inTurn(async () => write(next(await read()))),
    tryChange: (next) =>
      inTurn(async () => {
        const changed = next(await read());
        return changed.ok ? ok(await write(changed.value)) : changed;
      }),
  };
}

const entriesIn = (text: string | null): readonly unknown[] => {
  const found = jsonOrNull(text ?? '[]');
  return Array.isArray(found) ? found : [found ?? text];
};

/** A list whose entries that only a newer version can read are told and kept, and left out here. */
function createReadableList<T>(workspace: Settings, key: string, shape: z.ZodType<T>, tell: TellUnread) {
  const kept = createPersistedList<unknown>(workspace, key, entriesIn);
  const readable = (all: readonly unknown[]): readonly T[] => readableOf(shape, all).read;
  const others = (all: readonly unknown[]) => all.filter((each) => !shape.safeParse(each).success);
  return {
    read: async (): Promise<readonly T[]> => {
      const { read, unread } = readableOf(shape, await kept.read());
      tell(unread);
      return read;
    },
    change: async (next: (known: readonly T[]) => readonly T[]): Promise<readonly T[]> =>
      readable(await kept.change((all) => [...others(all), ...next(readable(all))])),
    tryChange: async <E>(next: (known: readonly T[]) => Result<readonly T[], E>): Promise<Result<readonly T[], E>> => {
      const changed = await kept.tryChange((all) => {
        const done = next(readable(all));
        return done.ok ? ok([...others(all), ...done.value]) : done;
      });
      return changed.ok ? ok(readable(changed.value)) : changed;
    },
  };
}

/** A rule, and why it can't run, if so: a newer Adslate may have used a field that this version does not have. */
type ListedRule = UserRule & { readonly problem: string | null };

/** The rules that the user wrote. A change is checked against everything in the background. */
export function createCustomRules(workspace: Settings, tell: TellUnread) {
  const kept = createReadableList(workspace, USER_RULES_KEY, UserRuleSchema, tell);
  return {
    list: async (): Promise<readonly ListedRule[]> => (await kept.read()).map(listed),
    /** Adds the rules or replaces those with their ids: all of them, or none. */
    save: async (...rules: readonly UserRule[]): Promise<Result<readonly ListedRule[], BadRule>> => {
      const own: UserRule[] = [];
      for (const rule of rules) {
        const parsed = parseUserRule(rule);
        if (!parsed.ok) return fail('BAD_RULE', parsed.error);
        own.push({ ...rule, name: parsed.value.name });
      }
      const saved = await kept.tryChange((known) =>
        own.reduce<Result<readonly UserRule[], BadRule>>(
          (before, rule) => (before.ok ? withRule(before.value, rule) : before),
          ok(known),
        ),
      );
      return saved.ok ? ok(saved.value.map(listed)) : saved;
    },
    /** Removes a rule; no effect if there is none with this ID. */
    remove: async (id: string): Promise<readonly ListedRule[]> =>
      (await kept.change((known) => known.filter((rule) => rule.id !== id))).map(listed),
  };
}

function withRule(known: readonly UserRule[], rule: UserRule): Result<readonly UserRule[], BadRule> {
  const at = known.findIndex(({ id }) => id === rule.id);
  if (at >= 0) return ok(known.with(at, rule));
  if (known.length < USER_RULES_MAX) return ok([...known, rule]);
  return badRule(`There are ${USER_RULES_MAX} rules already. Remove one first.`);
}

function listed(rule: UserRule): ListedRule {
  const parsed = parseUserRule(rule);
  return { ...rule, problem: parsed.ok ? null : parsed.error.problem };
}

type BadRule = Failure<'BAD_RULE'>;
const badRule = (problem: string): Result<never, BadRule> => fail('BAD_RULE', { field: 'id', at: null, problem });

/** Rules that the user has muted. A change makes the background check every row again. */
export function createMutedRules(workspace: Settings) {
  const kept = createPersistedList(
    workspace,
    MUTED_RULES_KEY,
    (text) => (text ?? '').split(' ').filter((id) => id !== ''),
    (rules) => rules.join(' '),
  );
  return {
    list: kept.read,
    /** Errors cannot be silenced, because the service would refuse the row. */
    set: async (rule: string, muted: boolean): Promise<Result<readonly string[], BadRule>> => {
      const known = ruleById(rule);
      if (known === undefined) return badRule('This rule does not exist.');
      if (known.severity === 'error')
        return badRule("Errors can't be muted, because the service would not accept the row.");
      const others = (rules: readonly string[]) => rules.filter((id) => id !== rule);
      return ok(await kept.change((rules) => (muted ? [...others(rules), rule].toSorted() : others(rules))));
    },
  };
}

/** Templates of campaigns, by name. */
export function createCampaignTemplates(workspace: Settings, tell: TellUnread) {
  const kept = createReadableList(workspace, TEMPLATES_KEY, CampaignTemplate, tell);
  const without = (templates: readonly CampaignTemplate[], name: string): readonly CampaignTemplate[] =>
    templates.filter((template) => template.name !== name);
  return {
    list: kept.read,
    /** Saves the template and replaces one of the same name. */
    save: (template: CampaignTemplate): Promise<Result<readonly CampaignTemplate[], Failure<'BAD_TOOL'>>> =>
      kept.tryChange((known) => {
        const others = without(known, template.name);
        if (others.length >= TEMPLATES_MAX)
          return fail('BAD_TOOL', {
            at: 0,
            problem: `There are ${TEMPLATES_MAX} templates already. Remove one first.`,
          });
        return ok([...others, template].toSorted((a, b) => compareNames(a.name, b.name)));
      }),
    /** Removes a template; no effect if there is none of this name. */
    remove: (name: string) => kept.change((known) => without(known, name)),
  };
}

/**
 * Column mappings that the user chose in an import, for the next file with the same headings. Nobody is told of those
 * of a newer version: the import shows what each column is.
 */
export function createRememberedColumns(workspace: Settings) {
  const kept = createReadableList<ChosenColumn>(workspace, 'import-columns', ChosenShape, () => {});
  const remember = (chosen: readonly ChosenColumn[]) => kept.change((known) => rememberColumns(known, chosen));
  return {
    list: kept.read,
    remember,
    forget: (column: Pick<ChosenColumn, 'heading' | 'nth'>) => remember([{ ...column, as: 'auto' }]),
  };
}

/** Banner swaps in progress: which profile replaces which. Their progress is derived from rows (`swapState`). */
export function createBannerSwaps(workspace: Settings) {
  const kept = createPersistedList(workspace, 'profile-swaps', (text) => SwapsText.parse(text ?? '[]'));
  const without = (swaps: readonly Swap[], campaignId: RowId) => swaps.filter((swap) => swap.campaignId !== campaignId);
  const put = async (campaignId: RowId, added: readonly Swap[]): Promise<void> => {
    await kept.change((known) => [...without(known, campaignId), ...added].slice(-SWAPS_MAX));
  };
  return {
    of: async (campaignId: RowId): Promise<Swap | null> =>
      (await kept.read()).find((swap) => swap.campaignId === campaignId) ?? null,
    /** The campaign whose swap is forgotten when one of this campaign is added; null while there is room. */
    forgottenFor: async (campaignId: RowId): Promise<RowId | null> => {
      const others = without(await kept.read(), campaignId);
      return others.length < SWAPS_MAX ? null : (others[0]?.campaignId ?? null);
    },
    /** Replaces an earlier swap of the same campaign. */
    keep: (swap: Swap) => put(swap.campaignId, [swap]),
    forget: (campaignId: RowId) => put(campaignId, []),
  };
}
