import type { ImportPreview } from '../../../shared/contract/exchange.ts';
import { formatTsv } from '../../../shared/sheet/tsv.ts';
import { enImport as texts } from '../../messages/en-import.ts';

interface MissingCampaignsProps {
  readonly missing: ImportPreview['missing'];
  /** How many there are, of which `missing` lists the first. */
  readonly count: number;
  /** @param text lines of campaigns as the dialog for them takes them */
  readonly onAdd: (text: string) => void;
}

/** Campaigns and ad groups that a sheet names by id and the account does not have, and the way to add them. */
export function MissingCampaigns({ missing, count, onAdd }: MissingCampaignsProps) {
  const lines = missing.map(({ campaign, name, type, adGroup }) => [
    campaign,
    name ?? '',
    type === null ? '' : String(type),
    adGroup ?? '',
  ]);
  return (
    <p className="note-warning">
      {texts.missing(count)}{' '}
      <button type="button" className="chip" onClick={() => onAdd(formatTsv(lines))}>
        {texts.addMissing}
      </button>
    </p>
  );
}
