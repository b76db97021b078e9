import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { VALUES_MAX } from '../../../shared/api/limits.ts';
import type { ColumnValues } from '../../../shared/api/views.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { textKey } from '../../../shared/model/text.ts';
import { CAMPAIGN_COLUMN, type ValueFilter } from '../../../shared/search/value-filter.ts';
import { useApi, useViewOf } from '../../app/app-context.ts';
import { countText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import { useTypedText } from '../../components/use-typed-text.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import styles from './grid-bar.module.css';

const texts = {
  find: 'Find a value',
  values: 'Values',
  empty: '(empty)',
  all: 'All',
  none: 'None',
  of: (some: number, all: number) => `${countText(some)} of ${countText(all)}`,
  more: (n: number) => `Only the first ${countText(n)} values are listed. Search for others.`,
} as const;

export interface ValueListProps {
  readonly workspaceId: string;
  readonly field: string;
  /** The filters of other columns as text: the counts are of the rows that match them. */
  readonly rest: string;
  /** The values that the filter selects; null without a filter. */
  readonly wanted: ValueFilter | null;
  readonly media: MediaNames;
  readonly onChange: (wanted: ValueFilter | null) => void;
}

/** With more selected values than this, the filter names the excluded ones if they are fewer. */
const NAMED_MAX = 20;

/** The values of a column with their row counts; a checkbox for each filters the rows by it. */
export function ValueList({ workspaceId, field, rest, wanted, media, onChange }: ValueListProps) {
  const api = useApi();
  const { kind, campaignId, only } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId, only: s.only }));
  const [words, setWords] = useState('');
  const [text, setText] = useTypedText(words, setWords);
  // Displayed texts differ from stored values, so main can't search them; there are few, so they are searched here.
  const isHere = field !== CAMPAIGN_COLUMN && fieldSpec(kind, field)?.type.is !== 'text';
  const within = campaignId === null ? null : asRowId(campaignId);
  const view = { kind, campaignId: within, only, filter: rest, sort: [] };
  const whole = useQuery(api.views.values.queryOptions({ input: { workspaceId, view, field, words: '' } })).data;
  const found = useQuery(
    api.views.values.queryOptions({ input: { workspaceId, view, field, words: isHere ? '' : words } }),
  ).data;
  // True when the user has cleared all checkboxes: no filter is written, because one without values would match
  // nothing.
  const [isNone, setNone] = useState(false);
  const name = (value: Cell): string =>
    value === null ? texts.empty : field === CAMPAIGN_COLUMN ? String(value) : valueText(kind, field, value, media);
  const shown = (found?.values ?? []).filter(({ value }) => !isHere || textKey(name(value)).includes(textKey(words)));
  const all = whole?.values.map(({ value }) => value) ?? [];
  const isWhole = whole !== undefined && whole.total <= all.length;
  const key = (value: Cell): string => (typeof value === 'string' ? textKey(value) : String(value));
  const named = new Set(wanted?.values.map(key));
  const isTicked = (value: Cell): boolean =>
    !isNone && (wanted === null ? isWhole : named.has(key(value)) !== wanted.isNot);
  const choose = (ticked: readonly Cell[]): void => {
    setNone(ticked.length === 0);
    if (ticked.length === 0 || (isWhole && ticked.length === all.length)) onChange(null);
    else {
      const isNot = isWhole && ticked.length > NAMED_MAX && 2 * ticked.length > all.length;
      const taken = new Set(ticked.map(key));
      onChange({ field, values: isNot ? all.filter((value) => !taken.has(key(value))) : ticked, isNot });
    }
  };
  const toggle = (value: Cell): void => {
    // With more values than are loaded, the filter's own list is edited instead of the checked ones.
    if (isWhole || wanted === null) choose(flipped(all.filter(isTicked), value, key));
    else {
      const values = flipped(wanted.values, value, key);
      onChange(values.length === 0 ? null : { ...wanted, values });
    }
  };
  return (
    <div className={styles['values']}>
      <TextInput
        size="xs"
        aria-label={texts.find}
        placeholder={texts.find}
        leftSection={<IconSearch size={14} stroke={1.5} aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className={styles['value-list']} aria-label={texts.values}>
        {shown.map(({ value, count }) => (
          <li key={key(value)}>
            <label title={name(value)}>
              <input type="checkbox" checked={isTicked(value)} onChange={() => toggle(value)} />
              <span className={styles['value-name']}>{name(value)}</span>
              <span className={`${ui['quiet']} ${ui['numeric']}`}>{countText(count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {found !== undefined && found.total > VALUES_MAX && <p className={ui['quiet']}>{texts.more(VALUES_MAX)}</p>}
      <div className={styles['value-foot']}>
        <button
          type="button"
          className={styles['link']}
          onClick={() => {
            setNone(false);
            onChange(null);
          }}
        >
          {texts.all}
        </button>
        <button type="button" className={styles['link']} onClick={() => choose([])}>
          {texts.none}
        </button>
        {whole !== undefined && <span className={ui['quiet']}>{texts.of(rowsOf(whole, isTicked), whole.rows)}</span>}
      </div>
    </div>
  );
}

const flipped = (values: readonly Cell[], value: Cell, key: (value: Cell) => string): readonly Cell[] =>
  values.some((each) => key(each) === key(value))
    ? values.filter((each) => key(each) !== key(value))
    : [...values, value];

const rowsOf = ({ values }: ColumnValues, isTicked: (value: Cell) => boolean): number =>
  values.reduce((sum, { value, count }) => (isTicked(value) ? sum + count : sum), 0);
