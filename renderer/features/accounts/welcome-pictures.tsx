import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowsSplit,
  IconArrowUpRight,
  IconChartLine,
  IconClockPlay,
  IconCloudUp,
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
  IconSearch,
  IconSettings,
  IconVideo,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StatusShape } from '../../components/StatusShape.tsx';
import styles from './accounts.module.css';

/* Pictures of the welcome page, drawn here because the page loads nothing from a network. Screen readers skip them. */
const texts = {
  account: 'Northwind Home',
  practice: 'Practice account',
  places: ['Overview', 'Inbox'],
  open: '7',
  campaigns: 'Campaigns',
  all: ['All campaigns', '24'],
  names: [
    ['Garden hose exact', '9'],
    ['Garden hose video', ''],
    ['Gift sets brand', '9'],
    ['Gym bottles phrase', ''],
    ['Holiday hosting brand', '19'],
    ['Hose nozzles auto', ''],
    ['Kids bottles video', '13'],
    ['Kitchen roll video', ''],
    ['Northwind bottles brand', ''],
    ['Northwind garden brand', ''],
  ],
  creatives: 'Creatives',
  lists: [
    ['SBA profiles', '10'],
    ['Video profiles', '3'],
    ['Media library', '9'],
  ],
  more: [
    ['Bid multipliers', '12'],
    ['Launch', '8'],
    ['Reports', ''],
  ],
  search: 'Search or run…',
  day: 'Monday, November 23',
  sync: 'Last sync 8:58 AM',
  tiles: [
    ['Sales', '$54,896', '12.4%', 'before $48,840'],
    ['Spend', '$13,308', '4.1%', 'before $12,784'],
    ['ROAS', '4.13', '8.0%', 'before 3.82'],
    ['Orders', '2,733', '9.7%', 'before 2,491'],
    ['Cost per click', '$0.87', '2.6%', 'before $0.85'],
  ],
  chart: 'Sales and spend',
  scale: ['$3k', '$2k', '$1k', '$0'],
  days: ['Oct 24', 'Oct 29', 'Nov 3', 'Nov 8', 'Nov 13', 'Nov 18'],
  starting: 'Starting in the next 14 days',
  starts: [
    ['Kitchen roll video', 'Processing', 'Fri, Nov 27', 'Video ready in 18 min'],
    ['Recycled towels brand', 'In review', 'Sat, Nov 28', 'Result by Wed'],
    ['Garden hose video', 'Scheduled', 'Mon, Nov 30', 'Nothing missing'],
    ['Holiday hosting brand', 'Draft', 'Tue, Dec 1', 'Submit by Fri, Nov 27'],
    ['Kids bottles video', 'Draft', 'Thu, Dec 3', 'Submit by Sun, Nov 29'],
  ],
  pacing: 'Budget pacing',
  paces: [
    ['Steel bottles exact', 'Runs out Dec 16'],
    ['Garden hose exact', 'On pace'],
    ['Paper towels auto', 'On pace'],
    ['Northwind garden brand', '$610 left over'],
    ['Gym bottles phrase', 'On pace'],
  ],
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
  strip: ['1 error', '26 warnings', '61 changes', 'Last sync 8:58 AM', 'History'],
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

/** Drawings in a square of 100 units; the colors are those of the products in both themes. */
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
  /** Position in an outer SVG. */
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

/** Number of days in the chart; values are dollars per day, from 30 days ago to yesterday. */
const DAYS = 30;
const wave = (middle: number, swing: number, rise: number, shift: number): readonly number[] =>
  Array.from({ length: DAYS }, (_, day) => middle + swing * Math.sin(day / 2.3 + shift) + rise * day);
const SPEND = wave(390, 44, 3, 0);
/** Sales vary from day to day and peak at the end. */
const SALES = [
  1620, 1750, 1790, 1580, 1500, 1600, 1900, 1880, 1990, 1820, 1600, 1480, 1550, 1680, 1640, 1730, 1560, 1450, 1430,
  1520, 1780, 1850, 1960, 2030, 2010, 1930, 2070, 2550, 2750, 2900,
] as const;
const BEFORE = [
  1690, 1710, 1660, 1660, 1690, 1700, 1780, 1710, 1680, 1660, 1580, 1590, 1510, 1400, 1560, 1370, 1420, 1380, 1540,
  1550, 1620, 1730, 1790, 1810, 1830, 1680, 1780, 1720, 1730, 1590,
] as const;
const STEP = 20.6;
const HIGH = 196;
const LEFT = 302;
const BASE = 470;
const at = (day: number, dollars: number): string => `${LEFT + day * STEP} ${BASE - (dollars * HIGH) / 3000}`;
const lineOf = (dollars: readonly number[]): string =>
  dollars.map((amount, day) => `${day === 0 ? 'M' : 'L'}${at(day, amount)}`).join('');
const fill = `${lineOf(SALES)}L${at(DAYS - 1, 0)}L${at(0, 0)}Z`;

const STATES = ['live', 'scheduled', 'draft', 'live', 'draft', 'live', 'draft', 'processing', 'live', 'live'] as const;
const STARTS = ['processing', 'in-review', 'scheduled', 'draft', 'draft'] as const;
/** Per budget: the spent share, and the share of time elapsed. */
const PACES = [
  [0.84, 0.69],
  [0.91, 0.95],
  [0.7, 0.7],
  [0.74, 0.94],
  [0.41, 0.45],
] as const;

/** A picture of the overview at 84%, cut by the edge of the window. */
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
        <rect x="829" y="8" width="216" height="28" rx="6" fill="var(--on-frame)" />
        <IconSearch x={838} y={15} size={14} stroke={1.75} color="var(--ink-2)" />
        <Text x={859} y={26} quiet>
          {texts.search}
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
        {texts.starts.map(([name, state, day, next], row) => (
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
            <Text x={510} y={584 + row * 34}>
              {day}
            </Text>
            <Text x={596} y={584 + row * 34} quiet>
              {next}
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
        {texts.paces.map(([name, words], row) => (
          <StillPace key={name} row={row} name={name} words={words} />
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
const STRIP = [
  { icon: IconAlertCircle, x: 16, color: 'var(--removed)' },
  { icon: IconAlertTriangle, x: 77, color: 'var(--changed)' },
  { icon: IconPencil, x: 176, color: 'var(--ink-2)' },
  { icon: IconCloudUp, x: 263, color: 'var(--ink-2)' },
  { icon: IconHistory, x: 395, color: 'var(--ink-2)' },
] as const;

interface StillPaceProps {
  readonly row: number;
  readonly name: string;
  readonly words: string;
}

function StillPace({ row, name, words }: StillPaceProps) {
  const [spent, today] = PACES[row] ?? PACES[0];
  const y = row * 34;
  const isOff = words !== 'On pace';
  return (
    <>
      <path d={`M771 ${563 + y}H1258`} stroke="var(--line)" />
      <ProductPicture of={PRODUCTS[row] ?? 'hose'} size={24} x={771} y={568 + y} />
      <Text x={805} y={584 + y}>
        {name}
      </Text>
      <rect x="960" y={577 + y} width="166" height="6" rx="3" fill="var(--line)" />
      <rect
        x="960"
        y={577 + y}
        width={166 * spent}
        height="6"
        rx="3"
        fill={isOff ? 'var(--changed-mark)' : 'var(--accent)'}
      />
      <rect x={960 + 166 * today} y={574 + y} width="2" height="12" fill="var(--ink)" />
      <text x="1248" y={584 + y} fontSize="12" textAnchor="end" fill={isOff ? 'var(--changed)' : 'var(--ink-2)'}>
        {words}
      </text>
    </>
  );
}

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
  const { icon: Icon, x, color } = STRIP[column] ?? STRIP[0];
  return (
    <>
      <Icon x={x} y={779} size={14} stroke={1.75} color={color} />
      <text x={x + 18} y={790} fontSize="11" fill={color}>
        {word}
      </text>
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
      <rect x="178" y="78" width="18" height="16" rx="8" fill="var(--s-rejected)" />
      <text x="187" y="90" textAnchor="middle" fontSize="11" fontWeight="500" fill="var(--sheet)">
        {texts.open}
      </text>
      <Text x={16} y={122} size={11} quiet>
        {texts.campaigns}
      </Text>
      <Entry y={150} name={texts.all[0]} count={texts.all[1]} icon={IconFolders} />
      {texts.names.map(([name, changes], row) => (
        <g key={name}>
          <State state={STATES[row] ?? 'live'} x={22} y={168 + row * 28} />
          <Text x={42} y={178 + row * 28}>
            {name}
          </Text>
          <Count y={178 + row * 28} color="var(--changed)">
            {changes}
          </Count>
        </g>
      ))}
      <Text x={16} y={472} size={11} quiet>
        {texts.creatives}
      </Text>
      {texts.lists.map(([name, count], row) => (
        <Entry key={name} y={500 + row * 28} name={name} count={count} icon={LIST_ICONS[row] ?? IconPhoto} />
      ))}
      {texts.more.map(([name, count], row) => (
        <Entry key={name} y={592 + row * 28} name={name} count={count} icon={MORE_ICONS[row] ?? IconRocket} />
      ))}
      <Entry y={732} name={texts.clock} icon={IconClockPlay} />
      <Entry y={760} name={texts.settings} icon={IconSettings} />
    </>
  );
}

interface EntryProps {
  readonly y: number;
  readonly name: string;
  readonly count?: string;
  readonly icon: TablerIcon;
}

function Entry({ y, name, count = '', icon: Icon }: EntryProps) {
  return (
    <>
      <Icon x={16} y={y - 12} size={16} stroke={1.75} color="var(--ink-2)" />
      <Text x={40} y={y}>
        {name}
      </Text>
      <Count y={y} color="var(--ink-2)">
        {count}
      </Count>
    </>
  );
}

/** A count at the end of a sidebar entry. */
const Count = ({ y, color, children }: { readonly y: number; readonly color: string; readonly children: string }) => (
  <text x="196" y={y} textAnchor="end" fontSize="11" fill={color}>
    {children}
  </text>
);

/** A campaign state with its usual symbol. */
function State({ state, x, y }: { readonly state: string; readonly x: number; readonly y: number }) {
  return (
    <foreignObject x={x} y={y} width="14" height="14">
      <StatusShape state={state} text="" />
    </foreignObject>
  );
}

/** A line over 14 days for a tile; each column differs. */
const sparkOf = (column: number): string =>
  wave(30, 4, -0.5, column * 1.3)
    .slice(0, 14)
    .map((y, day) => `${day === 0 ? 'M' : 'L'}${110 + day * 6} ${y}`)
    .join('');

/** Only the higher cost per click is a change for the worse. */
const tone = (column: number): string => (column === 4 ? 'var(--removed)' : 'var(--added)');

function StillTiles() {
  return (
    <>
      <rect x="230" y="98" width="1060" height="76" rx="10" fill="var(--sheet)" stroke="var(--line)" />
      {texts.tiles.map(([name, value, change, before], column) => (
        <g key={name} transform={`translate(${230 + column * 207} 98)`}>
          {column > 0 && <path d="M0 0V76" stroke="var(--line)" />}
          <Text x={14} y={22}>
            {name}
          </Text>
          <Text x={14} y={46} size={18}>
            {value}
          </Text>
          <IconArrowUpRight x={14} y={54} size={12} stroke={2} color={tone(column)} />
          <text x="30" y="64" fontSize="11" fill={tone(column)}>
            {change}
          </text>
          <Text x={70} y={64} size={11} quiet>
            {before}
          </Text>
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
