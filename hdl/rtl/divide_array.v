// A division within the cycle.
module divide_array #(
    parameter WIDTH = 12,
    parameter DIVISOR = 8
) (
    input  wire [  WIDTH-1:0] dividend,
    input  wire [DIVISOR-1:0] divisor,
    output wire [  WIDTH-1:0] quotient
);
  wire [DIVISOR:0] unused_rest;
  divide_steps #(
      .WIDTH(WIDTH),
      .DIVISOR(DIVISOR),
      .STEPS(WIDTH)
  ) steps (
      .rest_in({(DIVISOR + 1) {1'b0}}),
      .work_in(dividend),
      .divisor(divisor),
      .rest_out(unused_rest),
      .work_out(quotient)
  );
endmodule
