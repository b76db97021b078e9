import { expect, test } from 'vitest';
import { CELL_MAX_CHARACTERS, rowProblem } from '../../main/files/spreadsheet/csv.ts';

test('a row exactly at each limit comes in, and one beyond it is refused; the header is no row', () => {
  const wide = Array.from({ length: 256 }, () => '');
  const long = 'x'.repeat(CELL_MAX_CHARACTERS);
  expect([rowProblem([''], 201, 200), rowProblem(wide, 2, 200), rowProblem([long], 2, 200)]).toEqual([
    null,
    null,
    null,
  ]);
  expect(rowProblem([''], 202, 200)?.reason).toBe('too-many-rows');
  expect(rowProblem([...wide, ''], 2, 200)?.reason).toBe('too-many-columns');
  expect(rowProblem([`${long}x`], 2, 200)?.reason).toBe('cell-too-long');
});
