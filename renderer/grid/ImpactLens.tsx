import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RowDetail } from '../../shared/api/workspace.ts';
import { useApi, useView } from '../app/app-context.ts';
import { appTexts } from '../app/texts.ts';
import styles from './impact-lens.module.css';
import type { WindowSource } from './window.ts';

/** What an edit of each field of a row costs now: nothing, a review, a pause, or a refusal. */
export type RowImpacts = RowDetail['impacts'];
export type ImpactsOf = (id: number) => RowImpacts | undefined;
type Impact = RowImpacts[string];

const texts = {
  legend: 'Impact of edits',
  service: (words: string) => `The service responds: ${words}`,
} as const;

/** A symbol for each color, so that color is never the only cue. */
const SIGNS: Readonly<Record<Impact['cost'], string>> = {
  immediate: '✓',
  'needs-review': '◔',
  'needs-pause': '‖',
  refused: '✕',
  local: '',
  'with-create': '+',
};
const SHOWN = ['immediate', 'needs-review', 'needs-pause', 'refused', 'with-create'] as const;

/** The visible rows are requested when scrolling has paused for this long, so that a fling sends no requests. */
const PAUSE_MS = 60;
const NONE: ImpactsOf = () => undefined;

/** Costs of edits in the visible rows, while "Impact of edits" is on. */
export function useImpacts(workspaceId: string, source: WindowSource, visible: readonly number[]): ImpactsOf {
  const isOn = useView((s) => s.impactLens);
  const [rows] = useDebouncedValue(visible, PAUSE_MS);
  const ids = isOn ? rows.flatMap((at) => source.rowAt(at)?.id ?? []) : [];
  const { kind } = source.request;
  const input = ids.length === 0 ? skipToken : { workspaceId, kind, ids };
  const query = useApi().workspace.impacts.queryOptions({ input });
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const byId = useMemo(() => new Map((data?.rows ?? []).map(({ id, impacts }) => [id as number, impacts])), [data]);
  return isOn ? (id) => byId.get(id) : NONE;
}

export const impactClass = ({ cost }: Impact): string => `${styles['cell']} ${styles[`cost-${cost}`] ?? ''}`;

/** The rule, and the message with which the service would reject the edit. */
export const impactHint = ({ cost, message }: Impact): string =>
  message === null ? appTexts.impacts[cost] : `${appTexts.impacts[cost]}\n${texts.service(message)}`;

/** @param align alignment of the cell's text; the symbol is placed on the opposite side */
export const ImpactSign = ({ impact, align }: { readonly impact: Impact; readonly align: 'left' | 'right' }) => (
  <span className={styles['sign']} style={align === 'right' ? { left: 2 } : { right: 2 }} aria-hidden="true">
    {SIGNS[impact.cost]}
  </span>
);

/** The legend of colors and symbols below the rows. */
export function LensLegend() {
  const isOn = useView((s) => s.impactLens);
  if (!isOn) return null;
  return (
    <ul className={styles['legend']} aria-label={texts.legend}>
      {SHOWN.map((cost) => (
        <li key={cost}>
          <span className={`${styles['sample']} ${styles[`cost-${cost}`]}`} aria-hidden="true">
            {SIGNS[cost]}
          </span>
          {appTexts.impacts[cost]}
        </li>
      ))}
    </ul>
  );
}
