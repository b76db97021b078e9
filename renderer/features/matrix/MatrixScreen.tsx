import { useState } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { placementsFor } from '../../../shared/deployment/limits.ts';
import { effectiveBid } from '../../../shared/model/decimal.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isDeleted, isNew } from '../../../shared/model/row.ts';
import { useAppContext } from '../../app/app-context.ts';
import { editText, readCell, shownCell } from '../../app/locale/cells.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { ALL_ROWS, useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';
import type { CellInput } from '../../grid/cell-input.ts';
import { isChangedCell } from '../../grid/columns.ts';
import { BidCell } from './BidCell.tsx';
import { KeywordMatrix } from './KeywordMatrix.tsx';
import styles from './matrix.module.css';

const texts = {
  placements: 'Placement',
  platforms: 'Platform',
  multiplier: (name: string) => `Multiplier for ${name} (%)`,
  base: 'Example bid',
  baseHint: 'The highest bid in the campaign. Enter another bid to see its effective bid.',
  effective: 'Effective bid',
  noPlacement: 'Other placements',
  percent: '%',
  money: (amount: string) => `$${amount}`,
  noneOffered: 'Only sponsored products campaigns have bid multipliers.',
  truncated: 'The service truncates to two decimals: 12.349 becomes 12.34.',
  zero: 'The effect of 0% is not documented: the bid might stay the same or become $0.00.',
  addLabel: (name: string) => `Multiplier for ${name}`,
} as const;

interface MatrixScreenProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly campaignId: number;
}

/** The other way to look at keywords and multipliers of one campaign: what belongs together stands in one line. */
export function MatrixScreen({ workspaceId, kind, campaignId }: MatrixScreenProps) {
  const Matrix = kind === 'keyword' ? KeywordMatrix : MultiplierMatrix;
  return <Matrix workspaceId={workspaceId} campaignId={campaignId} />;
}

type MultiplierKind = 'placementMultiplier' | 'platformMultiplier';
const NAME_FIELD = { placementMultiplier: 'placement', platformMultiplier: 'platform' } as const;
const cellOf = (kind: MultiplierKind | 'campaign' | 'adItem' | 'keyword', row: WindowRow, field: string) =>
  row.cells[fieldNames(kind).indexOf(field)] ?? null;

interface MultiplierMatrixProps {
  readonly workspaceId: string;
  readonly campaignId: number;
}

/** Placement by platform: a multiplier for each, and in money what becomes of a bid where both meet. */
function MultiplierMatrix({ workspaceId, campaignId }: MultiplierMatrixProps) {
  const { actions } = useAppContext();
  const limits = useLimits();
  const campaign = useRows(workspaceId, { kind: 'campaign', campaignId }).data?.rows[0];
  const placementRows = useRows(workspaceId, { kind: 'placementMultiplier', campaignId }).data?.rows;
  const platformRows = useRows(workspaceId, { kind: 'platformMultiplier', campaignId }).data?.rows;
  const items = useRows(workspaceId, { kind: 'adItem', campaignId }, ALL_ROWS).data?.rows ?? [];
  const keywords = useRows(workspaceId, { kind: 'keyword', campaignId }, ALL_ROWS).data?.rows ?? [];
  const [typed, setTyped] = useState<string | null>(null);
  if (campaign === undefined || placementRows === undefined || platformRows === undefined) {
    return <div className={ui['empty']}>{appTexts.grid.loading}</div>;
  }
  const type = cellOf('campaign', campaign, 'campaignType');
  if (type === null || type === 'sba' || type === 'video') {
    return <div className={ui['empty']}>{texts.noneOffered}</div>;
  }
  const highest = Math.max(
    0,
    ...items.map((row) => Number(cellOf('adItem', row, 'bid') ?? 0)),
    ...keywords.map((row) => Number(cellOf('keyword', row, 'bid') ?? 0)),
  );
  const baseText = typed ?? editText('keyword', 'bid', highest);
  const base = readCell('keyword', 'bid', baseText);
  const cents = base.ok && typeof base.value === 'number' ? base.value : highest;

  const lineOf = (kind: MultiplierKind, name: string): WindowRow | undefined =>
    (kind === 'placementMultiplier' ? placementRows : platformRows).find(
      (row) => !isDeleted(row) && cellOf(kind, row, NAME_FIELD[kind]) === name,
    );
  const percentOf = (kind: MultiplierKind, name: string): number | null => {
    const row = lineOf(kind, name);
    const value = row === undefined ? null : cellOf(kind, row, 'multiplier');
    return typeof value === 'number' ? value : null;
  };
  const write = (kind: MultiplierKind, name: string, input: CellInput): void => {
    const row = lineOf(kind, name);
    const value = input.valueFor(percentOf(kind, name)) ?? null;
    const label = texts.addLabel(name);
    if (row === undefined) {
      const values = { [NAME_FIELD[kind]]: name, multiplier: value };
      if (value !== null) void actions.create(label, [{ kind, parent: { id: campaign.id }, values }]);
    } else if (value === null && isNew(row)) void actions.remove([{ kind, id: row.id }]);
    else void actions.edit(label, [{ kind, id: row.id, field: 'multiplier', value }]);
  };
  const cell = (kind: MultiplierKind, name: string) => {
    const row = lineOf(kind, name);
    return (
      <span className={styles['matrix-percent']}>
        <BidCell
          kind={kind}
          field="multiplier"
          label={texts.multiplier(name)}
          value={percentOf(kind, name)}
          changed={row !== undefined && isChangedCell(kind, 'multiplier', row)}
          onWrite={(input) => write(kind, name, input)}
        />
        <span className={ui['quiet']}>{texts.percent}</span>
      </span>
    );
  };
  const bidText = (placement: string, platform: string): string =>
    texts.money(
      shownCell(
        'keyword',
        'bid',
        effectiveBid(
          effectiveBid(cents, percentOf('placementMultiplier', placement)),
          percentOf('platformMultiplier', platform),
        ),
      ),
    );
  /** What the deployment offers, and what is there beside it. */
  const namesOf = (kind: MultiplierKind, offered: readonly string[], rows: readonly WindowRow[]): readonly string[] => {
    const there = rows.flatMap((row) => (isDeleted(row) ? [] : [String(cellOf(kind, row, NAME_FIELD[kind]) ?? '')]));
    return [...new Set([...offered, ...there.filter((name) => name !== '')])];
  };
  const targeting = cellOf('campaign', campaign, 'targetingType');
  const offered = placementsFor(limits, typeof targeting === 'string' ? targeting : null);
  const places = [...namesOf('placementMultiplier', offered, placementRows), ''];
  const platforms = namesOf('platformMultiplier', limits.multiplier.platforms, platformRows);
  const hasZero = [...placementRows, ...platformRows].some(
    // Both kinds have the name first and the multiplier second.
    (row) => !isDeleted(row) && row.cells[1] === 0,
  );
  return (
    <div className={styles['matrix']}>
      <div className={styles['matrix-tools']}>
        <label className={styles['matrix-base']}>
          {texts.base}
          <input
            className={ui['input']}
            inputMode="decimal"
            value={baseText}
            aria-invalid={!base.ok}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <span className={ui['quiet']}>{texts.baseHint}</span>
      </div>
      <p className={`${ui['quiet']} ${styles['matrix-hint']}`}>{texts.truncated}</p>
      {hasZero && <p className={`${ui['note-warning']} ${styles['matrix-hint']}`}>{texts.zero}</p>}
      <div className={styles['matrix-scroll']}>
        <table className={`${styles['matrix-table']} ${styles['multipliers']}`}>
          <caption className={ui['spoken-only']}>{texts.effective}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.placements}</th>
              <th scope="col">%</th>
              {platforms.map((platform) => (
                <th key={platform} scope="col">
                  {platform}
                </th>
              ))}
            </tr>
            <tr>
              <th scope="row" colSpan={2}>
                {texts.platforms} %
              </th>
              {platforms.map((platform) => (
                <td key={platform}>{cell('platformMultiplier', platform)}</td>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((placement) => (
              <tr key={placement}>
                <th scope="row">{placement === '' ? texts.noPlacement : placement}</th>
                <td>{placement === '' ? null : cell('placementMultiplier', placement)}</td>
                {platforms.map((platform) => (
                  <td key={platform} className={`${styles['matrix-money']} ${ui['numeric']}`}>
                    {bidText(placement, platform)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
