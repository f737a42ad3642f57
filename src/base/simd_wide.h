// SPDX-License-Identifier: MIT
// As many lanes as a register has: four in the back end of 128-bit registers, eight in the others.
// Twice the lanes of a register take twice the registers, and a kernel that needs more of them than
// there are spends its time on moving them to memory and back.
//
// The operations are those of rbl_f4 and rbl_f8 by other names. For what treats each lane on its
// own only: then no result depends on how many there are. Included by base/simd.h only.
#pragma once

// A file that defines RBL_TWO_REGISTERS gets eight in any case: better where each instruction waits
// for the one before, as two chains of them wait at once.
#if RBL_SIMD_BACKEND == 1 && !defined RBL_TWO_REGISTERS
#define RBL_WIDE_LANES 4
#define RBL_WIDE_NAME(four, eight) four
#else
#define RBL_WIDE_LANES 8
#define RBL_WIDE_NAME(four, eight) eight
#endif

#define rbl_fw RBL_WIDE_NAME(rbl_f4, rbl_f8)
#define rbl_fw_add RBL_WIDE_NAME(rbl_f4_add, rbl_f8_add)
#define rbl_fw_sub RBL_WIDE_NAME(rbl_f4_sub, rbl_f8_sub)
#define rbl_fw_mul RBL_WIDE_NAME(rbl_f4_mul, rbl_f8_mul)
#define rbl_fw_div RBL_WIDE_NAME(rbl_f4_div, rbl_f8_div)
#define rbl_fw_sqrt RBL_WIDE_NAME(rbl_f4_sqrt, rbl_f8_sqrt)
#define rbl_fw_neg RBL_WIDE_NAME(rbl_f4_neg, rbl_f8_neg)
#define rbl_fw_abs RBL_WIDE_NAME(rbl_f4_abs, rbl_f8_abs)
#define rbl_fw_min RBL_WIDE_NAME(rbl_f4_min, rbl_f8_min)
#define rbl_fw_max RBL_WIDE_NAME(rbl_f4_max, rbl_f8_max)
#define rbl_fw_eq RBL_WIDE_NAME(rbl_f4_eq, rbl_f8_eq)
#define rbl_fw_ne RBL_WIDE_NAME(rbl_f4_ne, rbl_f8_ne)
#define rbl_fw_lt RBL_WIDE_NAME(rbl_f4_lt, rbl_f8_lt)
#define rbl_fw_le RBL_WIDE_NAME(rbl_f4_le, rbl_f8_le)
#define rbl_fw_gt RBL_WIDE_NAME(rbl_f4_gt, rbl_f8_gt)
#define rbl_fw_ge RBL_WIDE_NAME(rbl_f4_ge, rbl_f8_ge)
#define rbl_fw_select RBL_WIDE_NAME(rbl_f4_select, rbl_f8_select)
#define rbl_fw_splat RBL_WIDE_NAME(rbl_f4_splat, rbl_f8_splat)
#define rbl_fw_zero RBL_WIDE_NAME(rbl_f4_zero, rbl_f8_zero)
#define rbl_fw_load RBL_WIDE_NAME(rbl_f4_load, rbl_f8_load)
#define rbl_fw_store RBL_WIDE_NAME(rbl_f4_store, rbl_f8_store)
#define rbl_fw_as_mask RBL_WIDE_NAME(rbl_f4_as_mask, rbl_f8_as_mask)
#define rbl_fw_from_mask RBL_WIDE_NAME(rbl_f4_from_mask, rbl_f8_from_mask)
#define rbl_fw_transpose RBL_WIDE_NAME(rbl_f4_transpose, rbl_f8_transpose)

#define rbl_iw RBL_WIDE_NAME(rbl_i4, rbl_i8)
#define rbl_iw_and RBL_WIDE_NAME(rbl_i4_and, rbl_i8_and)
#define rbl_iw_or RBL_WIDE_NAME(rbl_i4_or, rbl_i8_or)
#define rbl_iw_xor RBL_WIDE_NAME(rbl_i4_xor, rbl_i8_xor)
#define rbl_iw_andnot RBL_WIDE_NAME(rbl_i4_andnot, rbl_i8_andnot)
#define rbl_iw_not RBL_WIDE_NAME(rbl_i4_not, rbl_i8_not)
#define rbl_iw_any RBL_WIDE_NAME(rbl_i4_any, rbl_i8_any)
#define rbl_iw_bits RBL_WIDE_NAME(rbl_i4_bits, rbl_i8_bits)
#define rbl_iw_gt RBL_WIDE_NAME(rbl_i4_gt, rbl_i8_gt)
#define rbl_iw_lt RBL_WIDE_NAME(rbl_i4_lt, rbl_i8_lt)
#define rbl_iw_eq RBL_WIDE_NAME(rbl_i4_eq, rbl_i8_eq)
#define rbl_iw_splat RBL_WIDE_NAME(rbl_i4_splat, rbl_i8_splat)
#define rbl_iw_zero RBL_WIDE_NAME(rbl_i4_zero, rbl_i8_zero)
#define rbl_iw_load RBL_WIDE_NAME(rbl_i4_load, rbl_i8_load)
#define rbl_iw_store RBL_WIDE_NAME(rbl_i4_store, rbl_i8_store)
#define rbl_iw_select RBL_WIDE_NAME(rbl_i4_select, rbl_i8_select)
#define rbl_iw_add RBL_WIDE_NAME(rbl_i4_add, rbl_i8_add)
#define rbl_iw_sub RBL_WIDE_NAME(rbl_i4_sub, rbl_i8_sub)

#define rbl_fwx3 RBL_WIDE_NAME(rbl_f4x3, rbl_f8x3)
#define rbl_fwx3_splat RBL_WIDE_NAME(rbl_f4x3_splat, rbl_f8x3_splat)
#define rbl_fwx3_add RBL_WIDE_NAME(rbl_f4x3_add, rbl_f8x3_add)
#define rbl_fwx3_sub RBL_WIDE_NAME(rbl_f4x3_sub, rbl_f8x3_sub)
#define rbl_fwx3_neg RBL_WIDE_NAME(rbl_f4x3_neg, rbl_f8x3_neg)
#define rbl_fwx3_scale RBL_WIDE_NAME(rbl_f4x3_scale, rbl_f8x3_scale)
#define rbl_fwx3_add_scaled RBL_WIDE_NAME(rbl_f4x3_add_scaled, rbl_f8x3_add_scaled)
#define rbl_fwx3_dot RBL_WIDE_NAME(rbl_f4x3_dot, rbl_f8x3_dot)
#define rbl_fwx3_cross RBL_WIDE_NAME(rbl_f4x3_cross, rbl_f8x3_cross)
#define rbl_fwx3_min RBL_WIDE_NAME(rbl_f4x3_min, rbl_f8x3_min)
#define rbl_fwx3_max RBL_WIDE_NAME(rbl_f4x3_max, rbl_f8x3_max)
#define rbl_fwx3_select RBL_WIDE_NAME(rbl_f4x3_select, rbl_f8x3_select)
