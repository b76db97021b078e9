/**
 * A cell that begins like a formula runs as one when a sheet is opened in a spreadsheet program. On the way out
 * such a cell gets a leading apostrophe, which those programs take as "this is text"; on the way in it is taken
 * off again. Plain numbers, also negative ones, are left alone.
 *
 * Law: unguard(guard(cell)) = cell.
 */
const LIKE_A_FORMULA = /^['"\s]*[=+\-@\t\r＝＋－＠]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

export function guard(cell: string): string {
  return LIKE_A_FORMULA.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell;
}

export function unguard(cell: string): string {
  return cell.startsWith("'") && LIKE_A_FORMULA.test(cell) ? cell.slice(1) : cell;
}
