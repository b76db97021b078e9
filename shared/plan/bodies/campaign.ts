import { OPEN_END } from '../../model/plain-date.ts';
import type { Row } from '../../model/row.ts';
import type { DeploymentProfile } from '../../profile/profile.ts';
import type { WireObject, WireValue } from '../plan-types.ts';
import { amount, type Built, idOf, pick, withoutNulls } from './wire.ts';

type Dialect = DeploymentProfile['wire']['dialect'];

/** `POST /api/v1/campaigns`. A campaign is born enabled; another wish stays a change for a later update. */
export function campaignCreate(row: Row<'campaign'>, advertiserId: string, dialect: Dialect): Built {
  const v = row.values;
  const body = withoutNulls({
    advertiserId: { num: advertiserId },
    name: v.name,
    campaignType: v.campaignType,
    targetingType: v.targetingType,
    ...budgetFields(v.totalBudget, v.dailyBudget, dialect),
    startDate: v.startDate,
    endDate: v.endDate ?? OPEN_END,
    status: 'enabled',
  });
  return { body, sent: { ...pick(v, CREATED), status: 'enabled' } };
}
const CREATED = ['name', 'campaignType', 'targetingType', 'totalBudget', 'dailyBudget', 'startDate', 'endDate'];

/** `PUT /api/v1/campaigns` (extension): the id and what changed. Taking up an ended campaign is its own word, `extend`. */
export function campaignUpdate(row: Row<'campaign'>, changed: readonly string[], dialect: Dialect): Built {
  const v = row.values;
  const body: Record<string, WireValue> = { campaignId: idOf(row) };
  if (changed.includes('name')) body['name'] = v.name;
  if (changed.includes('totalBudget')) body[dialect === 'family' ? 'totalBudget' : 'budget'] = amount(v.totalBudget);
  if (changed.includes('dailyBudget')) body['dailyBudget'] = amount(v.dailyBudget);
  if (changed.includes('startDate')) body['startDate'] = v.startDate;
  if (changed.includes('status')) body['status'] = v.status;
  if (changed.includes('endDate')) body['endDate'] = v.endDate ?? OPEN_END;
  const takenUp = changed.includes('status') && v.status === 'enabled' && row.base?.status === 'completed';
  if (takenUp) {
    body['status'] = 'extend';
    body['endDate'] = v.endDate ?? OPEN_END;
  }
  return { body, sent: pick(v, changed) };
}

function budgetFields(total: number | null, daily: number | null, dialect: Dialect): WireObject {
  if (dialect === 'seed') return { budget: amount(total), dailyBudget: amount(daily) };
  const both = total !== null && daily !== null;
  const budgetType = both ? 'both' : total !== null ? 'total' : 'daily';
  return { budgetType, totalBudget: amount(total), dailyBudget: amount(daily) };
}
