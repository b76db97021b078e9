import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../app/app-context.ts';
import { Chip } from '../../components/Chip.tsx';
import ui from '../../components/ui.module.css';
import { isEdit, type Listed, shownValue } from './listed.ts';
import styles from './suggestions.module.css';
import { suggestionTexts as texts } from './text.ts';

interface SuggestionDetailsProps {
  readonly workspaceId: string;
  readonly row: Listed;
  readonly busy: boolean;
  readonly onAccept: () => void;
  readonly onAdjust: () => void;
  readonly onDismiss: () => void;
}

/** One suggestion whole: both values, its reason, and its arithmetic line by line. */
export function SuggestionDetails(props: SuggestionDetailsProps) {
  const { workspaceId, row, busy, onAccept, onAdjust, onDismiss } = props;
  const { key, label, campaign, current, suggested, low, high, effect, reason, id } = row;
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
            <dd>{now === '' ? '–' : now}</dd>
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
        {id !== null && <Chip onClick={onAdjust}>{isEdit(row) ? texts.adjust : texts.show}</Chip>}
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
