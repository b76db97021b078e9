import { Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListedSuggestion } from '../../shared/api/suggestions.ts';
import { useApi } from '../app/app-context.ts';
import { moneyText } from '../app/locale/numbers.ts';
import styles from './grid.module.css';
import { gridTexts } from './text.ts';

interface SuggestionCardProps {
  readonly workspaceId: string;
  readonly suggestion: ListedSuggestion;
  /** Position of the suggestion's cell, in window coordinates. */
  readonly cell: DOMRect;
  /** Opened by key: the card takes the focus and returns it when it closes. */
  readonly isFocused: boolean;
  /** Rows whose suggestions can be applied at once; below 2 the button is hidden. */
  readonly rows: number;
  readonly onUse: () => void;
  readonly onApply: () => void;
  readonly onEnter: () => void;
  readonly onClose: () => void;
}

/** How a suggested bid was computed, line by line; placed below or above its cell and never over it. */
export function SuggestionCard(props: SuggestionCardProps) {
  const { workspaceId, suggestion, cell, isFocused, rows, onClose } = props;
  const { key, reason, suggested } = suggestion;
  const texts = gridTexts.suggestion;
  const explained = useQuery(useApi().suggestions.explain.queryOptions({ input: { workspaceId, key } })).data;
  const bid = moneyText(typeof suggested === 'number' ? suggested : 0);
  const { left, top, width, height } = cell;
  return (
    <Popover
      // The popover measures its position only once, so each cell gets a new one.
      key={key}
      withRoles={false}
      opened
      onDismiss={onClose}
      position="bottom-start"
      width={340}
      trapFocus={isFocused}
      returnFocus={false}
      shadow="md"
      offset={4}
    >
      <Popover.Target>
        <span className={styles['suggestion-cell']} style={{ left, top, width, height }} />
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={texts.title(bid)}
        className={styles['suggestion']}
        onPointerEnter={props.onEnter}
        onPointerLeave={isFocused ? undefined : onClose}
      >
        <p>{reason}</p>
        <dl aria-label={texts.computed}>
          {explained?.steps.map(({ name, formula, result }) => (
            <div key={name} title={formula}>
              <dt>{name}</dt>
              <dd>{result}</dd>
            </div>
          ))}
        </dl>
        <div className={styles['suggestion-verbs']}>
          <button type="button" data-autofocus="" onClick={props.onUse}>
            {texts.use(bid)}
          </button>
          {rows > 1 && (
            <button type="button" onClick={props.onApply}>
              {`${texts.apply(rows)}…`}
            </button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
