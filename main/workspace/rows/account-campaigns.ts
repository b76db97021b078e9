import { DELETED } from '../../../shared/model/row.ts';
import type { AccountCampaign } from '../../../shared/rules/account.ts';
import { asNumber, asTextOrNull, type Db, rowIdOf } from '../db/db.ts';

/** Stands for the account among campaign ids in `finding_count` and `check_pending`. */
export const ACCOUNT = 0;

/** The little that the rules of the account want of every campaign. */
export const readAccountCampaigns = (db: Db): readonly AccountCampaign[] =>
  db.all('SELECT id, name, dirty FROM campaign ORDER BY id').map(([id, name, dirty]) => ({
    id: rowIdOf(id),
    name: asTextOrNull(name),
    deleted: (asNumber(dirty) & DELETED) !== 0,
  }));
