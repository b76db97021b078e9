import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListedSuggestion } from '../../../shared/api/suggestions.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { useApi } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { figureText, moneyText } from '../../app/locale/numbers.ts';
import { Chip } from '../../components/Chip.tsx';
import ui from '../../components/ui.module.css';
import styles from './suggestions.module.css';
import { suggestionTexts as texts } from './text.ts';

export type Listed = ListedSuggestion;

/** Only these effects change a row here; other suggestions are a table to copy, or rows to open. */
export const isEdit = ({ effect }: Pick<Listed, 'effect'>): boolean =>
  effect === 'immediate' || effect === 'needs-review';

/** The value of a suggestion's field as text. */
export function shownValue({ type, field }: Pick<Listed, 'type' | 'field'>, value: Listed['current']): string {
  if (value === null) return '';
  if (typeof value === 'string') return choiceName(value);
  const isMoney = field === null || fieldSpec(type, field)?.type.is === 'money';
  // Interval limits are not whole cents.
  return isMoney ? moneyText(Math.round(value)) : figureText('percent', Math.round(value));
}

/** The relative change from the present value; null if there is nothing to compare. */
export const changeIn = ({ current, suggested }: Pick<Listed, 'current' | 'suggested'>): number | null =>
  typeof current === 'number' && typeof suggested === 'number' && current !== 0 ? suggested / current - 1 : null;

/** `+12%`, `−15%`. */
export function percentText(share: number): string {
  const percent = Math.round(Math.abs(share) * 100);
  return `${percent === 0 ? '' : share > 0 ? '+' : '−'}${percent}%`;
}

interface SuggestionDetailsProps {
  readonly workspaceId: string;
  readonly row: Listed;
  readonly busy: boolean;
  readonly onAccept: () => void;
  readonly onAdjust: () => void;
  readonly onDismiss: () => void;
}

/** Details of one suggestion: both values, its reason, and its calculation step by step. */
export function SuggestionDetails(props: SuggestionDetailsProps) {
  const { workspaceId, row, busy, onAccept, onAdjust, onDismiss } = props;
  const { key, label, campaign, field, current, suggested, low, high, effect, reason, id } = row;
  const explained = useQuery(useApi().suggestions.explain.queryOptions({ input: { workspaceId, key } })).data;
  const steps = explained?.steps ?? [];
  const [now, wanted] = [shownValue(row, current), shownValue(row, suggested)];
  return (
    <>
      <div>
        <h2>{label}</h2>
        <span className={ui['quiet']}>{campaign === '' ? texts.account : campaign}</span>
      </div>
      {(now !== '' || wanted !== '') && (
        <dl className={styles['values']}>
          <div>
            <dt>{texts.now}</dt>
            <dd>{now === '' ? texts.isNew : now}</dd>
          </div>
          <div>
            <dt>{texts.suggested}</dt>
            <dd>{wanted === '' ? '–' : wanted}</dd>
          </div>
        </dl>
      )}
      <p>{reason}</p>
      {low !== null && high !== null && (
        <p className={ui['quiet']}>{texts.likely(shownValue(row, low), shownValue(row, high))}</p>
      )}
      {effect === 'not-possible' && <p>{texts.instruction}</p>}
      <div className={styles['buttons']}>
        {isEdit(row) && (
          <Button disabled={busy} onClick={onAccept}>
            {texts.accept}
          </Button>
        )}
        {id !== null && <Chip onClick={onAdjust}>{isEdit(row) && field !== null ? texts.adjust : texts.show}</Chip>}
        <Chip onClick={onDismiss}>{texts.dismiss}</Chip>
        <span className={ui['badge']}>{texts.effects[effect]}</span>
      </div>
      {steps.length > 0 && (
        <section aria-label={texts.computed}>
          <h3>{texts.computed}</h3>
          <ol className={styles['steps']}>
            {steps.map(({ name, formula, result }) => (
              <li key={name}>
                <span>{name}</span>
                <b>{result}</b>
                <small>{formula}</small>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
