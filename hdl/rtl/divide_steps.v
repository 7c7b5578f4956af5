// STEPS bits of a non-restoring division, combinational: each step takes the top bit of `work` into
// the rest, subtracts the divisor, or adds it where the rest is below 0, and shifts the bit of
// quotient in at the bottom: is the rest 0 or more? After WIDTH steps `work` is the quotient. One
// row of adders a step, where a restoring step needs a row of choosers besides. All dividers here
// are made of it. The rest has a sign, on top.
module divide_steps #(
    parameter WIDTH = 12,
    parameter DIVISOR = 8,
    parameter STEPS = 12
) (
    input  wire [DIVISOR:0] rest_in,
    input  wire [WIDTH-1:0] work_in,
    input  wire [DIVISOR-1:0] divisor,
    output reg  [DIVISOR:0] rest_out,
    output reg  [WIDTH-1:0] work_out
);
  integer i;
  reg subtract;
  // One bit more at the bottom carries the 1 of a subtraction in: one row of adders, not two.
  reg [DIVISOR+1:0] sum;
  always @* begin
    rest_out = rest_in;
    work_out = work_in;
    subtract = 1'b0;
    sum = {(DIVISOR + 2) {1'b0}};
    for (i = 0; i < STEPS; i = i + 1) begin
      subtract = ~rest_out[DIVISOR];
      // The bit that the shift pushes out is the sign again: -divisor <= rest < divisor.
      sum = {rest_out[DIVISOR-1:0], work_out[WIDTH-1], 1'b1}
          + {{1'b0, divisor} ^ {(DIVISOR + 1) {subtract}}, subtract};
      rest_out = sum[DIVISOR+1:1];
      work_out = {work_out[WIDTH-2:0], ~rest_out[DIVISOR]};
    end
  end
endmodule
