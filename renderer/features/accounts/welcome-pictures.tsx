import {
  IconAlertCircle,
  IconArrowsSplit,
  IconChartLine,
  IconClockPlay,
  IconFolders,
  IconHistory,
  IconInbox,
  IconLayoutDashboard,
  IconLibraryPhoto,
  IconMessageReport,
  IconPencil,
  IconPercentage,
  IconPhoto,
  IconRocket,
  IconSettings,
  IconVideo,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StatusShape } from '../../components/StatusShape.tsx';
import styles from './accounts.module.css';

/*
 * Still pictures of the welcome page. They are drawn here, because nothing of it may come from a network, and are no part of
 * what a screen reader tells.
 */
const texts = {
  account: 'Northwind Home',
  practice: 'Practice account',
  places: ['Overview', 'Inbox'],
  campaigns: 'Campaigns',
  all: 'All campaigns',
  names: [
    'Garden hose exact',
    'Garden hose video',
    'Gift sets brand',
    'Gym bottles phrase',
    'Holiday hosting brand',
    'Hose nozzles auto',
    'Kids bottles video',
    'Kitchen roll video',
    'Northwind bottles brand',
    'Northwind garden brand',
  ],
  creatives: 'Creatives',
  lists: ['SBA profiles', 'Video profiles', 'Media library'],
  more: ['Bid multipliers', 'Launch', 'Reports'],
  day: 'Monday, November 23',
  sync: 'Last sync 8:58 AM',
  tiles: [
    ['Sales', '$54,896', '12.4%'],
    ['Spend', '$13,308', '4.1%'],
    ['ROAS', '4.13', '8.0%'],
    ['Orders', '2,214', '6.2%'],
    ['Cost per click', '$0.52', '1.4%'],
  ],
  chart: 'Sales and spend',
  scale: ['$3k', '$2k', '$1k', '$0'],
  days: ['Oct 24', 'Oct 29', 'Nov 3', 'Nov 8', 'Nov 13', 'Nov 18'],
  starting: 'Starting in the next 14 days',
  starts: [
    ['Kitchen roll video', 'Processing', 'Fri, Nov 27'],
    ['Recycled towels brand', 'In review', 'Sat, Nov 28'],
    ['Garden hose video', 'Scheduled', 'Mon, Nov 30'],
    ['Holiday hosting brand', 'Draft', 'Tue, Dec 1'],
  ],
  pacing: 'Budget pacing',
  attention: 'Needs attention',
  problems: [
    ['3 ads rejected', 'Northwind paper brand, Kids bottles video'],
    ['2 failed changes', 'Gym bottles phrase'],
    ['1 error', 'Gift sets brand: headline too long'],
    ['1 conflict', 'Hose nozzles auto: daily budget'],
  ],
  legend: ['Sales', 'Spend', 'Sales, 30 days before'],
  initial: 'N',
  clock: 'Practice: Mon, Nov 23',
  settings: 'Settings',
  strip: ['1 error', '61 changes', 'History'],
} as const;

export const PRODUCTS = ['bottle', 'towels', 'hose', 'steel', 'napkins', 'kids'] as const;
type Product = (typeof PRODUCTS)[number];

const bottle = (body: string, dark: string, light: string) => (
  <>
    <rect x="43" y="12" width="14" height="11" rx="3" fill={dark} />
    <rect x="35" y="26" width="30" height="62" rx="9" fill={body} />
    <rect x="40" y="34" width="5" height="46" rx="2.5" fill={light} />
    <rect x="35" y="62" width="30" height="9" fill={dark} />
  </>
);

/** On a square of 100, in the colors of the products and not of the window. */
const DRAWN: Readonly<Record<Product, { readonly ground: string; readonly shapes: ReactNode }>> = {
  bottle: { ground: '#e3f1f1', shapes: bottle('#25918f', '#135d60', '#7fcac6') },
  towels: {
    ground: '#e6edf6',
    shapes: (
      <>
        {[13, 39, 65].map((x) => (
          <rect key={x} x={x} y="24" width="23" height="58" rx="4" fill="#fff" />
        ))}
        <rect x="11" y="46" width="78" height="20" rx="3" fill="#1f4f86" />
        <rect x="32" y="52" width="36" height="8" rx="3" fill="#fff" />
      </>
    ),
  },
  hose: {
    ground: '#e3f3e6',
    shapes: (
      <>
        {[32, 21, 10].map((radius) => (
          <circle key={radius} cx="48" cy="50" r={radius} fill="none" stroke="#2f9d58" strokeWidth="8" />
        ))}
        <rect x="70" y="72" width="20" height="9" rx="3" fill="#2f9d58" />
      </>
    ),
  },
  steel: { ground: '#eceff3', shapes: bottle('#a9b3bf', '#4a5562', '#dfe5eb') },
  napkins: {
    ground: '#f8e8e4',
    shapes: (
      <>
        <rect x="20" y="32" width="60" height="50" rx="3" fill="#fff" />
        <rect x="26" y="22" width="56" height="50" rx="3" fill="#d9806f" />
        <rect x="34" y="30" width="40" height="34" rx="2" fill="#f4d3cb" />
      </>
    ),
  },
  kids: { ground: '#fdf2d8', shapes: bottle('#eeb02c', '#2f63c4', '#fbdb8a') },
};

interface ProductProps {
  readonly of: Product;
  readonly size?: number;
  /** Its place in another drawing. */
  readonly x?: number;
  readonly y?: number;
}

export function ProductPicture({ of, size = 32, x = 0, y = 0 }: ProductProps) {
  const { ground, shapes } = DRAWN[of];
  return (
    <svg x={x} y={y} width={size} height={size} viewBox="0 0 100 100" aria-hidden="true">
      <rect width="100" height="100" fill={ground} />
      {shapes}
    </svg>
  );
}

/** Dollars a day of the picture, from 30 days ago to yesterday. */
const DAYS = 30;
const wave = (middle: number, swing: number, rise: number, shift: number): readonly number[] =>
  Array.from({ length: DAYS }, (_, day) => middle + swing * Math.sin(day / 2.3 + shift) + rise * day);
const SPEND = wave(390, 44, 3, 0);
const SALES = wave(1500, 150, 16, 0.4);
const BEFORE = wave(1500, 120, 4, 1.6);
const STEP = 20.6;
const HIGH = 196;
const LEFT = 302;
const BASE = 470;
const at = (day: number, dollars: number): string => `${LEFT + day * STEP} ${BASE - (dollars * HIGH) / 3000}`;
const lineOf = (dollars: readonly number[]): string =>
  dollars.map((amount, day) => `${day === 0 ? 'M' : 'L'}${at(day, amount)}`).join('');
const fill = `${lineOf(SALES)}L${at(DAYS - 1, 0)}L${at(0, 0)}Z`;

const STATES = ['live', 'scheduled', 'draft', 'live', 'draft', 'live', 'draft', 'processing', 'live', 'live'] as const;
const STARTS = ['processing', 'review', 'scheduled', 'draft'] as const;

/** The overview as it looks on a good day, at 84% and cut by the edge of the window. */
export function StillOverview() {
  return (
    <div className={styles['still']}>
      <svg aria-hidden="true" viewBox="0 0 1280 800">
        <rect width="1280" height="800" fill="var(--frame)" />
        <rect x="212" y="44" width="1080" height="728" rx="10" fill="var(--sheet)" />
        <StillSidebar />
        <Text x={224} y={26} size={14} title>
          {texts.places[0]}
        </Text>
        <Text x={230} y={78} size={18} title>
          {texts.day}
        </Text>
        <Text x={436} y={78} quiet>
          {texts.sync}
        </Text>
        <StillTiles />
        <Card x={230} y={187} width={690} height={326} title={texts.chart} />
        {texts.legend.map((word, column) => (
          <Text key={word} x={LEGEND[column] ?? 0} y={214} size={11} quiet>
            {word}
          </Text>
        ))}
        <path d="M640 210h14" stroke="var(--c-sales)" strokeWidth="2" />
        <rect x="706" y="206" width="10" height="8" rx="1.5" fill="var(--c-spend)" />
        <path d="M772 210h14" stroke="var(--c-before)" strokeWidth="1.4" strokeDasharray="3 3" />
        {texts.scale.map((amount, row) => (
          <g key={amount}>
            <path d={`M290 ${BASE - HIGH + (row * HIGH) / 3}H906`} stroke="var(--c-grid)" />
            <Text x={248} y={BASE - HIGH + 4 + (row * HIGH) / 3} size={11} quiet>
              {amount}
            </Text>
          </g>
        ))}
        {SPEND.map((dollars, day) => {
          const high = (dollars * HIGH) / 3000;
          const x = LEFT + day * STEP - 6;
          return <rect key={x} x={x} y={BASE - high} width="12" height={high} rx="1.5" fill="var(--c-spend)" />;
        })}
        <path d={fill} fill="var(--c-sales-fill)" />
        <path d={lineOf(BEFORE)} fill="none" stroke="var(--c-before)" strokeWidth="1.4" strokeDasharray="3 3" />
        <path d={lineOf(SALES)} fill="none" stroke="var(--c-sales)" strokeWidth="2" strokeLinejoin="round" />
        {texts.days.map((day, column) => (
          <Text key={day} x={LEFT - 14 + column * 5 * STEP} y={BASE + 20} size={11} quiet>
            {day}
          </Text>
        ))}
        <Card x={230} y={525} width={515} height={218} title={texts.starting} />
        {texts.starts.map(([name, state, day], row) => (
          <g key={name}>
            <path d={`M244 ${563 + row * 34}H731`} stroke="var(--line)" />
            <ProductPicture of={PRODUCTS[row + 1] ?? 'hose'} size={24} x={244} y={568 + row * 34} />
            <Text x={278} y={584 + row * 34}>
              {name}
            </Text>
            <State state={STARTS[row] ?? 'live'} x={415} y={574 + row * 34} />
            <Text x={434} y={584 + row * 34}>
              {state}
            </Text>
            <Text x={530} y={584 + row * 34} quiet>
              {day}
            </Text>
          </g>
        ))}
        <Card x={757} y={525} width={515} height={218} title={texts.pacing} />
        <Card x={932} y={187} width={340} height={326} title={texts.attention} />
        {texts.problems.map(([what, where], row) => (
          <g key={what}>
            <Problem row={row} />
            <Text x={986} y={244 + row * 54}>
              {what}
            </Text>
            <Text x={986} y={259 + row * 54} size={11} quiet>
              {where}
            </Text>
          </g>
        ))}
        {[0.72, 0.54, 0.88, 0.4].map((share, row) => (
          <g key={share}>
            <ProductPicture of={PRODUCTS[row] ?? 'hose'} size={24} x={771} y={568 + row * 40} />
            <rect x="808" y={577 + row * 40} width="440" height="6" rx="3" fill="var(--pressed)" />
            <rect x="808" y={577 + row * 40} width={440 * share} height="6" rx="3" fill="var(--accent)" />
          </g>
        ))}
        {texts.strip.map((word, column) => (
          <Strip key={word} at={column} word={word} />
        ))}
      </svg>
    </div>
  );
}

const LEGEND = [660, 722, 792] as const;
const PROBLEM_ICONS = [IconMessageReport, IconAlertCircle, IconAlertCircle, IconArrowsSplit] as const;
const STRIP_ICONS = [IconAlertCircle, IconPencil, IconHistory] as const;

function Problem({ row }: { readonly row: number }) {
  const Icon = PROBLEM_ICONS[row] ?? IconAlertCircle;
  const [tint, ink] =
    Icon === IconArrowsSplit ? ['var(--changed-tint)', 'var(--changed)'] : ['var(--s-rejected-tint)', 'var(--removed)'];
  return (
    <>
      <rect x="946" y={232 + row * 54} width="28" height="28" rx="6" fill={tint} />
      <Icon x={953} y={239 + row * 54} size={14} stroke={1.75} color={ink} />
    </>
  );
}

function Strip({ at: column, word }: { readonly at: number; readonly word: string }) {
  const Icon = STRIP_ICONS[column] ?? IconHistory;
  const x = 16 + column * 96;
  return (
    <>
      <Icon x={x} y={779} size={14} stroke={1.75} color={column === 0 ? 'var(--removed)' : 'var(--ink-2)'} />
      <Text x={x + 20} y={790} quiet>
        {word}
      </Text>
    </>
  );
}

const PLACE_ICONS = [IconLayoutDashboard, IconInbox] as const;
const LIST_ICONS = [IconPhoto, IconVideo, IconLibraryPhoto] as const;
const MORE_ICONS = [IconPercentage, IconRocket, IconChartLine] as const;

function StillSidebar() {
  return (
    <>
      <rect x="14" y="10" width="24" height="24" rx="6" fill="var(--accent)" />
      <text x="26" y="26" textAnchor="middle" fontSize="12" fontWeight="600" fill="#fff">
        {texts.initial}
      </text>
      <Text x={46} y={20} title>
        {texts.account}
      </Text>
      <Text x={46} y={34} size={11} quiet>
        {texts.practice}
      </Text>
      <rect x="8" y="46" width="196" height="26" rx="6" fill="var(--on-frame)" />
      {texts.places.map((name, row) => (
        <Entry key={name} y={64 + row * 28} name={name} icon={PLACE_ICONS[row] ?? IconInbox} />
      ))}
      <Text x={16} y={122} size={11} quiet>
        {texts.campaigns}
      </Text>
      <Entry y={150} name={texts.all} icon={IconFolders} />
      {texts.names.map((name, row) => (
        <g key={name}>
          <State state={STATES[row] ?? 'live'} x={22} y={168 + row * 28} />
          <Text x={42} y={178 + row * 28}>
            {name}
          </Text>
        </g>
      ))}
      <Text x={16} y={472} size={11} quiet>
        {texts.creatives}
      </Text>
      {texts.lists.map((name, row) => (
        <Entry key={name} y={500 + row * 28} name={name} icon={LIST_ICONS[row] ?? IconPhoto} />
      ))}
      {texts.more.map((name, row) => (
        <Entry key={name} y={592 + row * 28} name={name} icon={MORE_ICONS[row] ?? IconRocket} />
      ))}
      <Entry y={732} name={texts.clock} icon={IconClockPlay} />
      <Entry y={760} name={texts.settings} icon={IconSettings} />
    </>
  );
}

interface EntryProps {
  readonly y: number;
  readonly name: string;
  readonly icon: TablerIcon;
}

function Entry({ y, name, icon: Icon }: EntryProps) {
  return (
    <>
      <Icon x={16} y={y - 12} size={16} stroke={1.75} color="var(--ink-2)" />
      <Text x={40} y={y}>
        {name}
      </Text>
    </>
  );
}

/** A state as everywhere else, in the drawing. */
function State({ state, x, y }: { readonly state: string; readonly x: number; readonly y: number }) {
  return (
    <foreignObject x={x} y={y} width="14" height="14">
      <StatusShape state={state} text="" />
    </foreignObject>
  );
}

/** A fortnight of a tile; each has its own. */
const sparkOf = (column: number): string =>
  wave(30, 4, -0.5, column * 1.3)
    .slice(0, 14)
    .map((y, day) => `${day === 0 ? 'M' : 'L'}${110 + day * 6} ${y}`)
    .join('');

function StillTiles() {
  return (
    <>
      <rect x="230" y="98" width="1060" height="76" rx="10" fill="var(--sheet)" stroke="var(--line)" />
      {texts.tiles.map(([name, value, change], column) => (
        <g key={name} transform={`translate(${230 + column * 207} 98)`}>
          {column > 0 && <path d="M0 0V76" stroke="var(--line)" />}
          <Text x={14} y={22}>
            {name}
          </Text>
          <Text x={14} y={46} size={18}>
            {value}
          </Text>
          <text x="14" y="64" className={styles['still-good']}>
            {change}
          </text>
          <path d={sparkOf(column)} fill="none" stroke="var(--c-sales)" strokeWidth="1.5" />
        </g>
      ))}
    </>
  );
}

interface CardProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

function Card({ x, y, width, height, title }: CardProps) {
  return (
    <>
      <rect x={x} y={y} width={width} height={height} rx="10" fill="var(--sheet)" stroke="var(--line)" />
      <Text x={x + 14} y={y + 27} size={14} title>
        {title}
      </Text>
    </>
  );
}

interface TextProps {
  readonly x: number;
  readonly y: number;
  readonly size?: 11 | 12 | 14 | 18;
  readonly quiet?: boolean;
  readonly title?: boolean;
  readonly children: string;
}

function Text({ x, y, size = 12, quiet = false, title = false, children }: TextProps) {
  return (
    <text x={x} y={y} fontSize={size} fontWeight={title ? 600 : 400} fill={quiet ? 'var(--ink-2)' : 'var(--ink)'}>
      {children}
    </text>
  );
}
