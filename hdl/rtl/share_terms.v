// What Eq. 1 divides, and by what, with the corner cases of ACCurate's section IV-A; the divisor
// is never 0. Idle needs no case of its own: with M = 0 and B = 0 it is C (1 - alpha) over 1.
module share_terms #(
    parameter RATE = 12,
    parameter COUNT = 7,
    parameter [RATE-1:0] CAPACITY = 4095,
    parameter [RATE-1:0] SHAREABLE = 3890
) (
    input  wire [COUNT-1:0] m,
    input  wire [   RATE:0] b,
    input  wire [ RATE-1:0] b_max,
    input  wire [COUNT-1:0] elsewhere,
    output wire [ RATE-1:0] dividend,
    output wire [  COUNT:0] divisor,
    output wire [  COUNT:0] flows
);
  wire none_here = m == 0;
  // M = 0: M becomes 1, and B loses b_max, which is the same as more to share.
  wire [RATE+1:0] all = {2'b0, SHAREABLE} + {2'b0, b_max & {RATE{none_here}}};
  wire [RATE+2:0] left = {1'b0, all} - {2'b0, b};
  wire is_over = left[RATE+2] | (left == 0);
  // More than there is: b_max has outlived its flow. The limit behind the division does the rest.
  wire is_beyond = left[RATE+1] | left[RATE];
  assign flows = {1'b0, m} + {1'b0, elsewhere};
  assign dividend = is_over | is_beyond ? CAPACITY : left[RATE-1:0];
  assign divisor = is_over ? flows : none_here ? {{COUNT{1'b0}}, 1'b1} : {1'b0, m};
endmodule
