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
import type { CellInput } from '../../grid/cell-input.ts';
import { isChangedCell } from '../../grid/columns.ts';
import { en } from '../../texts/en.ts';
import { enMatrix } from '../../texts/en-matrix.ts';
import { BidCell } from './BidCell.tsx';
import { KeywordMatrix } from './KeywordMatrix.tsx';

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
    return <div className="empty">{en.grid.loading}</div>;
  }
  const type = cellOf('campaign', campaign, 'campaignType');
  if (type === null || type === 'sba' || type === 'video') {
    return <div className="empty">{enMatrix.noneOffered}</div>;
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
    const label = enMatrix.addLabel(name);
    if (row === undefined) {
      const values = { [NAME_FIELD[kind]]: name, multiplier: value };
      if (value !== null) void actions.create(label, [{ kind, parent: { id: campaign.id }, values }]);
    } else if (value === null && isNew(row)) void actions.remove([{ kind, id: row.id }]);
    else void actions.edit(label, [{ kind, id: row.id, field: 'multiplier', value }]);
  };
  const cell = (kind: MultiplierKind, name: string) => {
    const row = lineOf(kind, name);
    return (
      <span className="matrix-percent">
        <BidCell
          kind={kind}
          field="multiplier"
          label={enMatrix.multiplier(name)}
          value={percentOf(kind, name)}
          changed={row !== undefined && isChangedCell(kind, 'multiplier', row)}
          onWrite={(input) => write(kind, name, input)}
        />
        <span className="quiet">{enMatrix.percent}</span>
      </span>
    );
  };
  const bidText = (placement: string, platform: string): string =>
    enMatrix.money(
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
    <div className="matrix">
      <div className="matrix-tools">
        <label className="matrix-base">
          {enMatrix.base}
          <input
            className="input"
            inputMode="decimal"
            value={baseText}
            aria-invalid={!base.ok}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <span className="quiet">{enMatrix.baseHint}</span>
      </div>
      <p className="quiet matrix-hint">{enMatrix.truncated}</p>
      {hasZero && <p className="note-warning matrix-hint">{enMatrix.zero}</p>}
      <div className="matrix-scroll">
        <table className="matrix-table multipliers">
          <caption className="spoken-only">{enMatrix.effective}</caption>
          <thead>
            <tr>
              <th scope="col">{enMatrix.placements}</th>
              <th scope="col">%</th>
              {platforms.map((platform) => (
                <th key={platform} scope="col">
                  {platform}
                </th>
              ))}
            </tr>
            <tr>
              <th scope="row" colSpan={2}>
                {enMatrix.platforms} %
              </th>
              {platforms.map((platform) => (
                <td key={platform}>{cell('platformMultiplier', platform)}</td>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((placement) => (
              <tr key={placement}>
                <th scope="row">{placement === '' ? enMatrix.noPlacement : placement}</th>
                <td>{placement === '' ? null : cell('placementMultiplier', placement)}</td>
                {platforms.map((platform) => (
                  <td key={platform} className="matrix-money numeric">
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
