import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { NewRow } from '../../app/actions.ts';
import { useAppContext, useViewOf } from '../../app/app-context.ts';
import { CampaignChoice } from '../../app/CampaignChoice.tsx';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { choiceName, fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { editText, readCell } from '../../app/locale/cells.ts';
import { countText, inSentence } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './campaign-form.module.css';
import { ItemFinder, useItemNames } from './ItemFinder.tsx';
import { formKeys, readLines } from './lines.ts';
import { campaignFormTexts, lineProblemsText } from './text.ts';

const texts = {
  button: 'Add',
  label: (n: number, what: string) => `Add ${countText(n)} ${what}`,
} as const;

const nothing = (): void => {};

/**
 * Adds rows to the open or selected campaign: items from the search, keywords one per line, one empty row for other
 * kinds.
 */
export function AddRowsScreen({ workspaceId }: { readonly workspaceId: string }) {
  const { kind, opened } = useViewOf((s) => ({ kind: s.kind, opened: s.campaignId }));
  const [chosen, setChosen] = useState<WindowRow['id'] | null>(null);
  const campaignId = opened ?? chosen;
  const groups = useRows(workspaceId, campaignId === null ? null : { kind: 'adGroup', campaignId }).data?.rows;
  const group = groups?.[0];
  const wanted: Kind = kind === 'campaign' || kind === 'adGroup' || kind === 'media' ? 'adItem' : kind;
  const byCampaign = wanted === 'placementMultiplier' || wanted === 'platformMultiplier';
  const parent = byCampaign ? campaignId : (group?.id ?? null);
  const { store, actions } = useAppContext();
  const { openPlace, reveal } = store.getState();
  const withNames = useItemNames(workspaceId);
  const [text, setText] = useState('');
  const [bid, setBid] = useState(() => editText('keyword', 'bid', 150));
  const [matchType, setMatchType] = useState('broad');
  const [problem, setProblem] = useState<string>();
  const [busy, during] = useBusy();
  const set = (value: string): void => {
    setText(value);
    setProblem(undefined);
  };

  const isListed = wanted === 'adItem' || wanted === 'keyword';
  const money = readCell('keyword', 'bid', bid);
  const isReady = parent !== null && (!isListed || (text.trim() !== '' && money.ok));
  const rows = (under: NonNullable<NewRow['parent']>): readonly NewRow[] => {
    if (!isListed) {
      return [{ kind: wanted, parent: under, values: firstValues(wanted) }];
    }
    if (!money.ok) return [];
    const shared = { bid: money.value };
    const defaults =
      wanted === 'adItem' ? { ...shared, status: 'enabled' } : { ...shared, matchType, state: 'enabled' };
    const lines = readLines(wanted, text, defaults);
    if (lines.ok) return lines.value.map((values) => ({ kind: wanted, parent: under, values }));
    setProblem(lineProblemsText(lines.error));
    return [];
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // Ctrl+Enter may be held or pressed again while the rows are created.
    if (parent === null || busy) return;
    const made = withNames(rows({ id: parent }));
    if (made.length === 0) return;
    const label = texts.label(made.length, inSentence(KIND_NAMES[wanted].many));
    const created = await during(actions.create(label, made));
    const first = created?.touched[0];
    // Another account may be open by now, in which these numbers are other rows.
    if (first !== undefined && store.getState().workspaceId === workspaceId) reveal(wanted, opened, first.id, null);
  };
  const form = useRef<HTMLFormElement>(null);
  const hasFocused = useRef(false);
  // The first field is there once the campaign has been read.
  useEffect(() => {
    if (hasFocused.current) return;
    const first = form.current?.querySelector<HTMLElement>('[data-first], [role="combobox"], textarea') ?? null;
    first?.focus();
    hasFocused.current = first !== null;
  });
  /** Escape leaves the page as long as nothing was entered. */
  const leave = (): void => {
    if (text === '') openPlace('rows');
  };
  return (
    <form
      ref={form}
      className={styles['form-page']}
      onSubmit={(event) => void submit(event)}
      onKeyDown={formKeys(leave)}
      noValidate
    >
      <header className={styles['form-head']}>
        <h1>{appTexts.add.title(inSentence(KIND_NAMES[wanted].many))}</h1>
        {opened !== null && <span className={ui['quiet']}>{group?.campaignName}</span>}
      </header>
      <div className={styles['form-body']}>
        <div className={styles['form-fields']} data-scrolls="">
          {opened === null && <CampaignChoice workspaceId={workspaceId} chosen={chosen} onChoose={setChosen} />}
          {groups !== undefined && parent === null && <Problem of={dialogTexts.copies.noGroup} />}
          {parent !== null && wanted === 'adItem' && (
            <ItemFinder
              workspaceId={workspaceId}
              value={text}
              onChange={set}
              bid={bid}
              error={problem}
              onPeek={nothing}
            />
          )}
          {parent !== null && wanted === 'keyword' && (
            <Textarea
              size="xs"
              rows={10}
              label={campaignFormTexts.labels.keywords}
              description={campaignFormTexts.keywordsHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={text}
              error={problem}
              onChange={(event) => set(event.currentTarget.value)}
            />
          )}
          {parent !== null && isListed && (
            <div className={styles['form-row']}>
              <TextInput
                size="xs"
                label={campaignFormTexts.labels.bid}
                inputMode="decimal"
                value={bid}
                error={money.ok ? undefined : money.error}
                onChange={(event) => setBid(event.currentTarget.value)}
              />
              {wanted === 'keyword' && (
                <ChoiceField
                  size="xs"
                  label={fieldName('matchType')}
                  options={['exact', 'phrase', 'broad'].map((each) => [each, choiceName(each)])}
                  value={matchType}
                  onChoose={setMatchType}
                />
              )}
            </div>
          )}
        </div>
      </div>
      <FormActions busy={busy} disabled={!isReady} onCancel={() => openPlace('rows')}>
        {texts.button}
      </FormActions>
    </form>
  );
}

interface FormActionsProps {
  readonly busy: boolean;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
  /** The words of the button that submits. */
  readonly children: string;
}

/** The buttons of a form in place of the rows: beside its title, but last in Tab order, after what is filled in. */
export function FormActions({ busy, disabled = false, onCancel, children }: FormActionsProps) {
  return (
    <div className={styles['form-actions']}>
      <Button variant="subtle" onClick={onCancel}>
        {campaignFormTexts.cancel}
      </Button>
      <Button
        type="submit"
        variant="filled"
        h={34}
        disabled={disabled}
        loading={busy}
        aria-keyshortcuts="Control+Enter"
        rightSection={<span aria-hidden="true">{campaignFormTexts.submitKeys}</span>}
      >
        {children}
      </Button>
    </div>
  );
}

/** Initial values of a new row; a multiplier of 100% leaves the bid unchanged. */
function firstValues(kind: Kind): NewRow['values'] {
  if (kind === 'placementMultiplier') return { placement: 'Search Ingrid', multiplier: 10_000 };
  if (kind === 'platformMultiplier') return { platform: 'Desktop', multiplier: 10_000 };
  return { status: 'enabled' };
}
